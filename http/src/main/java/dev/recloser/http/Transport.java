package dev.recloser.http;

import dev.recloser.time.TimeSource;
import java.net.http.HttpClient;

/**
 * What the exchanges of a client go through, and by what they go.
 *
 * @param client sends each attempt
 * @param time the time that bounds bodies
 * @param timeoutsCoverBody whether the limit of an attempt holds for a body that is read after it
 */
record Transport(HttpClient client, TimeSource time, boolean timeoutsCoverBody) {}
