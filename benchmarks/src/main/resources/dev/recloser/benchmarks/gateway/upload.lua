-- For wrk: a request with a body of 16 KiB.
wrk.method = "POST"
wrk.body = string.rep("x", 16 * 1024)
wrk.headers["Content-Type"] = "application/octet-stream"
