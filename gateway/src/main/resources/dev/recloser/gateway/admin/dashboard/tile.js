// The tile of one cluster.

import * as format from "./format.js";
import { draw } from "./strip.js";

const template = document.getElementById("tile");

export class Tile {
  #parts = {};
  #visible = true;

  /** `act` is called with an action, "isolate", "close" or "details", and the cluster. */
  constructor(cluster, act) {
    this.cluster = cluster;
    this.element = template.content.firstElementChild.cloneNode(true);
    this.element.dataset.cluster = cluster.name;
    for (const name of ["state", "name", "age", "brief-rate", "brief-errors", "brief-latency", "probe", "probe-text", "strip",
      "peak", "sums", "threshold", "threshold-text", "limits", "isolate", "close"]) {
      this.#parts[name] = this.element.querySelector(`.${name}`);
    }
    this.#parts.glyph = this.element.querySelector("use");
    this.#parts.probeBar = this.element.querySelector(".probe-bar i");
    this.#parts.ratioBar = this.element.querySelector(".threshold-bar i");
    this.#parts.limitMark = this.element.querySelector(".threshold-bar b");
    this.#parts.cells = [...this.element.querySelectorAll("tbody td")];
    this.#parts.name.textContent = cluster.name;
    this.#parts.name.addEventListener("click", () => act("details", cluster));
    for (const action of ["isolate", "close"]) {
      this.#parts[action].addEventListener("click", () => act(action, cluster));
      this.#parts[action].setAttribute("aria-label", `${action === "isolate" ? "Isolate" : "Close"} ${cluster.name} …`);
    }
    this.element.id = `cluster-${cluster.name}`;
  }

  /** Whether it can be seen, without which its strip is not drawn. */
  set visible(visible) {
    this.#visible = visible;
    if (visible) {
      this.#draw();
    }
  }

  /** Whether the connection is lost, so that nothing can be done to the circuit. */
  set lost(lost) {
    this.#parts.isolate.disabled = lost;
    this.#parts.close.disabled = lost;
  }

  focus() {
    this.#parts.name.focus();
  }

  /** All but the clocks. */
  show() {
    const { cluster } = this;
    const recent = cluster.recent();
    const minute = cluster.minute();
    this.#showState();
    text(this.#parts["brief-rate"], `${format.rate(recent.rate)} req/s`);
    text(this.#parts["brief-errors"], `${format.percent(minute.errorRatio)} failed`);
    text(this.#parts["brief-latency"], `p99 ${format.latency(cluster.live.latencyOfMinute?.[3])}`);
    this.element.classList.toggle("failing", (minute.errorRatio ?? 0) > 0);
    this.#showFigures([recent, minute]);
    text(this.#parts.sums, sums(minute, cluster.live.failed));
    this.#showThreshold();
    text(this.#parts.limits, limits(cluster));
    this.#parts.strip.setAttribute("aria-label", `The last minute: ${sums(minute, cluster.live.failed)}`);
    this.#draw();
  }

  #showState() {
    const { state, live } = this.cluster;
    if (this.element.dataset.state !== state) {
      this.element.dataset.state = state;
      this.#parts.glyph.setAttribute("href", `#glyph-${state}`);
      text(this.#parts.state, format.stateName(state));
      this.#parts.close.hidden = state === "CLOSED";
      this.#parts.isolate.hidden = state === "ISOLATED";
    }
    this.#parts.age.title = `since ${format.fullTime(new Date(live.since))}`;
  }

  #showFigures(rows) {
    const { live } = this.cluster;
    const latencies = [live.latency, live.latencyOfMinute];
    rows.forEach((sums, row) => {
      const values = [format.rate(sums.rate), format.percent(sums.errorRatio),
        ...[1, 2, 3].map((place) => format.latency(latencies[row]?.[place]))];
      values.forEach((value, column) => text(this.#parts.cells[row * values.length + column], value));
    });
  }

  #showThreshold() {
    const { state, live, settings } = this.cluster;
    const ratio = live.calls > 0 ? live.failures / live.calls : 0;
    const enough = live.calls >= settings["minimum-throughput"];
    this.#parts.threshold.hidden = state === "ISOLATED";
    this.#parts.threshold.classList.toggle("idle", state === "CLOSED" && !enough);
    this.#parts.ratioBar.style.width = `${ratio * 100}%`;
    this.#parts.limitMark.style.left = `${settings["failure-ratio"] * 100}%`;
    text(this.#parts["threshold-text"], threshold(this.cluster, ratio, enough));
  }

  #draw() {
    if (this.#visible && this.element.isConnected) {
      const peak = draw(this.#parts.strip, this.cluster.columns());
      text(this.#parts.peak, peak > 0 ? `peak ${format.rate(peak)}/s` : "");
    }
  }

  /** What follows from the time alone, at this moment of the browser's clock. */
  showTime(now) {
    const { cluster } = this;
    text(this.#parts.age, `for ${format.span(now - cluster.enteredAt)}`);
    const shown = cluster.state === "OPEN" || cluster.state === "HALF_OPEN";
    this.#parts.probe.hidden = !shown;
    if (shown) {
      const rest = (cluster.probeAt ?? now) - now;
      text(this.#parts["probe-text"], probe(cluster, rest));
      const whole = cluster.probeAt - cluster.enteredAt;
      const part = cluster.state === "OPEN" && whole > 0 ? Math.min(1, Math.max(0, rest / whole)) : 0;
      this.#parts.probeBar.style.width = `${part * 100}%`;
    }
  }
}

/** Writes only what has changed, which spares the browser most of the work. */
function text(element, value) {
  if (element.textContent !== value) {
    element.textContent = value;
  }
}

function probe(cluster, rest) {
  const { state, live, settings } = cluster;
  if (state === "HALF_OPEN") {
    return `${format.plural(live.runningProbes, "probe")} running; `
      + `${format.plural(settings["successes-to-close"], "success", "successes")} close${settings["successes-to-close"] === 1 ? "s" : ""} it`;
  }
  return rest > 0 ? `next probe in ${format.span(rest + 999)}` : "the next request is the probe";
}

function threshold(cluster, ratio, enough) {
  const { state, live, settings } = cluster;
  const limit = format.percent(settings["failure-ratio"]);
  if (state === "HALF_OPEN" || state === "OPEN") {
    return `opened at ${format.percent(ratio)} of ${format.plural(live.calls, "call")}; the limit is ${limit}`;
  }
  const window = settings["sampling-duration"];
  if (!enough) {
    return `needs ${format.plural(settings["minimum-throughput"], "call")} in ${window}, has ${format.count(live.calls)}`
      + ` (${format.count(live.failures)} failed)`;
  }
  return `${format.percent(ratio)} of ${format.plural(live.calls, "call")} in ${window} failed; opens at ${limit}`;
}

function sums(minute, failed) {
  if (minute.all === 0) {
    return "no requests in the last minute";
  }
  const entries = Object.entries(failed).sort((a, b) => b[1] - a[1]);
  const reasons = entries.length === 1
    ? entries[0][0]
    : entries.map(([reason, number]) => `${format.count(number)} ${reason}`).join(", ");
  return [
    `${format.count(minute.ok + minute.slow)} ok`,
    minute.slow > 0 && `${format.count(minute.slow)} of them slow`,
    minute.failed > 0 && `${format.count(minute.failed)} failed${reasons ? ` (${reasons})` : ""}`,
    minute.rejected > 0 && `${format.count(minute.rejected)} rejected`,
    minute.ignored > 0 && `${format.count(minute.ignored)} ignored`,
  ].filter(Boolean).join(" · ");
}

function limits(cluster) {
  return `${format.count(cluster.live.inFlight)} in flight · timeout ${cluster.settings.timeout} · `
    + format.plural(cluster.destinations.length, "destination");
}
