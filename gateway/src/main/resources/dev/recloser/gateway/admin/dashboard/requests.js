// Requests to the gateway beside the stream of events.

const PATIENCE_MILLIS = 10_000;
const QUEUED_MILLIS = 1500;
const TOKEN = "recloser-admin-token";

/**
 * Sends requests. A browser opens only six connections to one address, for all its tabs: where each of them is taken by the stream of a
 * tab, a request waits for ever. So one that is not answered soon gets the connection of this tab's own stream.
 */
export class Requests {
  feed;

  /** Whether there is a token that is sent with what changes something. It is kept for this tab alone, and until that is closed. */
  get hasToken() {
    return sessionStorage.getItem(TOKEN) !== null;
  }

  /** What cannot stand in a header is in no token, and so does not have to be kept. */
  useToken(token) {
    sessionStorage.setItem(TOKEN, token.replace(/[^!-~]/g, "?"));
  }

  forgetToken() {
    sessionStorage.removeItem(TOKEN);
  }

  /** Sends what changes something. */
  post(path) {
    const token = sessionStorage.getItem(TOKEN);
    return this.send(path, { method: "POST", headers: token === null ? {} : { Authorization: `Bearer ${token}` } });
  }

  async send(path, options) {
    let paused = false;
    const queued = setTimeout(() => {
      paused = true;
      this.feed.pause();
    }, QUEUED_MILLIS);
    try {
      const answer = await fetch(path, { ...options, signal: AbortSignal.timeout(PATIENCE_MILLIS) });
      return { ok: answer.ok, status: answer.status, body: await answer.json().catch(() => undefined) };
    } finally {
      clearTimeout(queued);
      if (paused) {
        this.feed.resume();
      }
    }
  }
}
