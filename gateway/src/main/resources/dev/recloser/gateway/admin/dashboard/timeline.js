// The transitions of all circuits, newest first.

import * as format from "./format.js";

const MOST = 200;

export class Timeline {
  #list = document.getElementById("timeline");
  #quiet = document.getElementById("quiet");
  #latest = document.getElementById("latest");
  #announcer = document.getElementById("announcer");
  #goTo;

  /** `goTo` is called with the name of a cluster to which the user wants to go. */
  constructor(goTo) {
    this.#goTo = goTo;
  }

  /** Shows these instead of what was shown, and says those that are new. */
  set(transitions, fresh) {
    this.#list.replaceChildren(...[...transitions].reverse().map((transition) => this.#line(transition)));
    this.#after(transitions.at(-1));
    if (fresh.length > 0) {
      this.#announce(fresh);
    }
  }

  add(transition) {
    this.#list.prepend(this.#line(transition));
    while (this.#list.children.length > MOST) {
      this.#list.lastElementChild.remove();
    }
    this.#after(transition);
    this.#announce([transition]);
  }

  #after(last) {
    this.#quiet.hidden = last !== undefined;
    this.#list.hidden = last === undefined;
    this.#latest.hidden = last === undefined;
    if (last) {
      const at = new Date(last.at);
      this.#latest.textContent = `${format.clock(at)} ${last.cluster} ${last.event}`;
    }
  }

  #announce(transitions) {
    const last = transitions.at(-1);
    const more = transitions.length > 1 ? `${transitions.length} transitions. The last one: ` : "";
    this.#announcer.textContent = `${more}${last.cluster} ${last.event}: ${last.why}`;
  }

  #line(transition) {
    const line = document.createElement("li");
    line.value = transition.number;
    line.dataset.number = transition.number;
    line.dataset.state = transition.to;
    const at = new Date(transition.at);
    const time = document.createElement("time");
    time.dateTime = transition.at;
    time.title = format.fullTime(at);
    time.textContent = format.clock(at);
    const cluster = document.createElement("a");
    cluster.href = `#cluster-${transition.cluster}`;
    cluster.textContent = transition.cluster;
    cluster.addEventListener("click", (event) => {
      event.preventDefault();
      this.#goTo(transition.cluster);
    });
    const what = document.createElement("strong");
    what.textContent = transition.event;
    const why = document.createElement("p");
    why.textContent = transition.why + (transition.cause ? `; last failure: ${transition.cause}` : "");
    const head = document.createElement("div");
    head.append(time, " ", glyph(transition.to), " ", cluster, " ", what);
    line.append(head, why);
    return line;
  }
}

/** The sign of a state. */
export function glyph(state) {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", "glyph");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(namespace, "use");
  use.setAttribute("href", `#glyph-${state}`);
  svg.append(use);
  return svg;
}
