// The dialog that asks before a circuit is worked by hand, and the one with the details of a cluster.

import * as format from "./format.js";

const element = (id) => document.getElementById(id);

/** Asks, posts, and shows what went wrong. Where the gateway wants its token, the dialog asks for that too. */
export class Confirmation {
  #dialog = element("confirm");
  #yes = element("confirm-yes");
  #no = element("confirm-no");
  #error = element("confirm-error");
  #tokenForm = element("confirm-token-form");
  #token = element("confirm-token");
  #asked;
  #requests;
  #done;

  /** `done` is called with a cluster whose circuit was changed. */
  constructor(requests, done) {
    this.#requests = requests;
    this.#done = done;
    this.#no.addEventListener("click", () => this.#dialog.close());
    this.#yes.addEventListener("click", () => this.#post());
    // A form with two fields and no button of its own is never sent by itself.
    this.#token.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        this.#yes.click();
      }
    });
    this.#dialog.addEventListener("close", () => this.#askForToken(false));
  }

  ask(action, cluster) {
    this.#asked = { action, cluster };
    const verb = action === "isolate" ? "Isolate" : "Close";
    element("confirm-title").textContent = `${verb} ${cluster.name}?`;
    element("confirm-text").textContent = action === "isolate" ? isolating(cluster) : closing(cluster);
    this.#yes.textContent = `${verb} ${cluster.name}`;
    this.#error.textContent = "";
    this.#busy(false);
    this.#dialog.showModal();
    this.#no.focus();
  }

  #busy(busy) {
    this.#yes.disabled = busy;
    this.#dialog.setAttribute("aria-busy", busy);
  }

  #askForToken(needed) {
    this.#token.value = "";
    this.#tokenForm.hidden = !needed;
    if (needed) {
      this.#token.focus();
    }
  }

  async #post() {
    const asked = this.#asked;
    if (!this.#tokenForm.hidden) {
      this.#requests.useToken(this.#token.value.trim());
    }
    this.#busy(true);
    this.#error.textContent = "";
    const answer = await this.#answer(asked);
    // The dialog may have been closed in the meantime, and even ask something else.
    if (this.#asked !== asked || !this.#dialog.open) {
      return;
    }
    this.#busy(false);
    if (answer?.ok) {
      this.#dialog.close();
      this.#done(asked.cluster);
    } else if (answer?.status === 401) {
      this.#error.textContent = this.#requests.hasToken
        ? "Refused: this is not the admin token of the gateway."
        : "The gateway wants its admin token.";
      this.#requests.forgetToken();
      this.#askForToken(true);
    } else if (answer) {
      this.#error.textContent = `Refused: ${answer.body?.detail ?? `status ${answer.status}`}.`;
    } else {
      this.#error.textContent = "No answer from the gateway. Whether the circuit was changed is not known.";
    }
  }

  async #answer({ action, cluster }) {
    try {
      return await this.#requests.post(`circuits/${encodeURIComponent(cluster.name)}/${action}`);
    } catch {
      return undefined;
    }
  }
}

function isolating(cluster) {
  const under = cluster.live.inFlight;
  return `Every request for ${cluster.name} is answered with 503 at once and does not reach the service, until somebody closes the `
    + `circuit. Now there are ${format.rate(cluster.recent().rate)} requests each second`
    + `${under > 0 ? `; the ${under} under way ${under === 1 ? "is" : "are"} not cut off` : ""}.`;
}

function closing(cluster) {
  const { settings } = cluster;
  return `All requests for ${cluster.name} go to the service again at once, without a probe, and what was counted is forgotten. If `
    + `the service still fails, the circuit opens again when ${format.percent(settings["failure-ratio"])} of at least `
    + `${format.plural(settings["minimum-throughput"], "call")} in ${settings["sampling-duration"]} have failed.`;
}

/** Shows what a cluster is set to, and how its requests have ended. */
export class Details {
  #dialog = element("details");
  #content = element("details-content");
  #buttons = { isolate: element("details-isolate"), close: element("details-close") };
  #requests;
  #cluster;

  /** `act` is called with an action and the cluster. */
  constructor(requests, act) {
    this.#requests = requests;
    element("details-done").addEventListener("click", () => this.#dialog.close());
    for (const [action, button] of Object.entries(this.#buttons)) {
      button.addEventListener("click", () => {
        this.#dialog.close();
        act(action, this.#cluster);
      });
    }
  }

  async show(cluster) {
    this.#cluster = cluster;
    const settings = list("Settings", [
      ["destinations", cluster.destinations.join(", ")],
      ...Object.entries(cluster.settings),
    ]);
    this.#content.replaceChildren(settings);
    this.#dialog.showModal();
    element("details-done").focus();
    this.refresh();
    const counted = await this.#counts(cluster);
    if (this.#cluster === cluster && settings.isConnected) {
      this.#content.append(counted);
    }
  }

  /** Shows the state of the circuit as it is now. */
  refresh() {
    if (!this.#dialog.open) {
      return;
    }
    const { name, state } = this.#cluster;
    const title = `${name}: ${format.stateName(state)}`;
    if (element("details-title").textContent !== title) {
      element("details-title").textContent = title;
      const focused = document.activeElement;
      this.#buttons.isolate.hidden = state === "ISOLATED";
      this.#buttons.close.hidden = state === "CLOSED";
      if (focused.hidden) {
        element("details-done").focus();
      }
    }
  }

  setLost(lost) {
    Object.values(this.#buttons).forEach((button) => { button.disabled = lost; });
  }

  async #counts(cluster) {
    try {
      const { body } = await this.#requests.send(`circuits/${encodeURIComponent(cluster.name)}`);
      return list("Since the gateway has started", [
        ...Object.entries(body.requests).map(([reason, number]) => [reason, format.count(number)]),
        ["outcomes that came too late", format.count(body.late)],
        ["probes that were lost", format.count(body.lost)],
      ]);
    } catch {
      return list("The counts cannot be read: the gateway cannot be reached", []);
    }
  }
}

function list(title, entries) {
  const section = document.createElement("section");
  const heading = document.createElement("h3");
  heading.textContent = title;
  const values = document.createElement("dl");
  for (const [name, value] of entries) {
    const term = document.createElement("dt");
    term.textContent = name;
    const description = document.createElement("dd");
    description.textContent = value;
    values.append(term, description);
  }
  section.append(heading, values);
  return section;
}
