// The connection to the gateway: server-sent events, and whether they still come.

const SILENCE_MILLIS = 3500;
const SHORTEST_PATIENCE_MILLIS = 4000;
const LONGEST_PATIENCE_MILLIS = 30_000;
const RETRY_MILLIS = 2000;
const WATCH_MILLIS = 500;

/**
 * Calls `on.state`, `on.tick` and `on.transition` with the data of each event, `on.lost` with the time of the last sign of life and
 * perhaps a reason, and `on.found` when events come again; the first one then is a state.
 */
export class Feed {
  #on;
  #source;
  #lastSign = Date.now();
  #openedAt = 0;
  #patience = SHORTEST_PATIENCE_MILLIS;
  #lost = false;
  #retryAt = 0;
  #pauses = 0;

  constructor(on) {
    this.#on = on;
    this.#open();
    setInterval(() => this.#watch(), WATCH_MILLIS);
  }

  #open() {
    this.#source?.close();
    this.#retryAt = 0;
    this.#openedAt = Date.now();
    const source = new EventSource("events");
    this.#source = source;
    for (const kind of ["state", "tick", "transition"]) {
      source.addEventListener(kind, (event) => {
        this.#lastSign = Date.now();
        if (this.#lost) {
          this.#lost = false;
          this.#patience = SHORTEST_PATIENCE_MILLIS;
          this.#on.found();
        }
        this.#on[kind](JSON.parse(event.data));
      });
    }
    // The browser connects again by itself, unless it was answered with anything but events.
    source.addEventListener("error", () => {
      this.#lose();
      if (source.readyState === EventSource.CLOSED) {
        this.#retryAt = Date.now() + RETRY_MILLIS;
        this.#explain();
      }
    });
  }

  #lose(reason) {
    this.#lost = true;
    this.#on.lost(this.#lastSign, reason);
  }

  /** Asks why there are no events; an EventSource does not tell. */
  async #explain() {
    try {
      const answer = await fetch("events", { method: "HEAD" });
      if (this.#lost && answer.status === 503) {
        this.#lose("too many dashboards are open");
      } else if (this.#lost && !answer.ok) {
        this.#lose(`the gateway answered ${answer.status}`);
      }
    } catch {
      // not reachable, which is what is said without a reason
      if (this.#lost) {
        this.#lose("");
      }
    }
  }

  /** Gives the connection up, until as many have called `resume` as have called this. */
  pause() {
    this.#pauses++;
    this.#source.close();
  }

  resume() {
    this.#pauses--;
    if (this.#pauses === 0) {
      this.#open();
    }
  }

  #watch() {
    const now = Date.now();
    if (now - this.#lastSign > SILENCE_MILLIS && !this.#lost) {
      this.#lose();
    }
    if (this.#pauses > 0) {
      return;
    }
    // A connection can be dead without anybody having said so, and a laptop may have slept. A slow network gets more time each time.
    const hung = this.#lost && now - Math.max(this.#lastSign, this.#openedAt) > this.#patience;
    if (hung) {
      this.#patience = Math.min(2 * this.#patience, LONGEST_PATIENCE_MILLIS);
    }
    if (hung || (this.#retryAt > 0 && now > this.#retryAt)) {
      this.#open();
    }
  }
}
