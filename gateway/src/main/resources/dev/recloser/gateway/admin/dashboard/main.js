// The page: what comes from the feed goes into the model, and from there to the parts of the page.

import { Board } from "./board.js";
import { Confirmation, Details } from "./dialogs.js";
import { Feed } from "./feed.js";
import * as format from "./format.js";
import { Model, STATES } from "./model.js";
import { Requests } from "./requests.js";
import { readColours } from "./strip.js";
import { glyph, Timeline } from "./timeline.js";

const CLOCK_MILLIS = 250;

const element = (id) => document.getElementById(id);
const model = new Model();
const requests = new Requests();
const confirmation = new Confirmation(requests, (cluster) => board.tile(cluster.name)?.focus());
const details = new Details(requests, act);
const board = new Board(act);
const timeline = new Timeline(goTo);
const filter = { text: "", states: new Set() };
let lost;

// --- What comes from the gateway

readColours();
element("where").textContent = location.host;

const feed = {
  state(data) {
    const fresh = model.state(data);
    board.setClusters(model.clusters);
    timeline.set(model.transitions, fresh);
    details.refresh();
    element("tools").hidden = false;
    element("transitions").hidden = false;
    showConnection();
    showSummary();
    showTime();
  },
  tick(data) {
    model.tick(data);
    board.show();
    details.refresh();
    arrange();
    showConnection();
    showSummary();
  },
  transition(data) {
    const cluster = model.transition(data);
    board.showCluster(cluster.name);
    details.refresh();
    arrange();
    timeline.add(data.transition);
    showSummary();
    showTime();
  },
  lost(lastSign, reason) {
    lost = { since: lastSign, clock: lost?.clock ?? performance.now() - (Date.now() - lastSign), reason: reason ?? lost?.reason };
    showConnection();
    showTitle();
  },
  found() {
    lost = undefined;
    showConnection();
    showTitle();
  },
};

function act(action, cluster) {
  if (action === "details") {
    details.show(cluster);
  } else if (!lost) {
    confirmation.ask(action, cluster);
  }
}

function arrange() {
  element("held").textContent = board.arrange() ? "order held while you are at a tile" : "";
}

// --- The head of the page

const buttons = new Map(STATES.map((state) => {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.state = state;
  button.setAttribute("aria-pressed", "false");
  const number = document.createElement("span");
  number.className = "number";
  button.append(glyph(state), number, ` ${format.stateName(state)}`);
  button.addEventListener("click", () => {
    const on = !filter.states.delete(state) && filter.states.add(state);
    button.setAttribute("aria-pressed", Boolean(on));
    board.filter(filter);
  });
  element("states").append(button);
  return [state, number];
}));

element("filter").addEventListener("input", (event) => {
  filter.text = event.target.value.trim().toLowerCase();
  board.filter(filter);
});

function showSummary() {
  const counts = model.counts();
  buttons.forEach((number, state) => { number.textContent = format.count(counts[state]); });
  const parts = STATES.filter((state) => counts[state] > 0)
    .map((state) => `${format.count(counts[state])} ${format.stateName(state)}`);
  const rate = [...model.clusters.values()].reduce((sum, cluster) => sum + cluster.recent().rate, 0);
  set("summary", `${format.plural(model.clusters.size, "cluster")}: ${parts.join(", ")} · ${format.rate(rate)} req/s`);
  showTitle();
}

function showTitle() {
  const { OPEN } = model.counts();
  const title = `${lost ? "no connection – " : OPEN > 0 ? `${OPEN} open – ` : ""}Recloser`;
  if (document.title !== title) {
    document.title = title;
  }
  const icon = `dashboard/${OPEN > 0 ? "open" : "closed"}.svg`;
  if (element("icon").getAttribute("href") !== icon) {
    element("icon").setAttribute("href", icon);
  }
}

function showConnection() {
  const changed = document.body.classList.contains("lost") !== (lost !== undefined);
  document.body.classList.toggle("lost", lost !== undefined);
  document.body.classList.toggle("draining", !lost && model.draining);
  if (changed) {
    board.setLost(lost !== undefined);
    details.setLost(lost !== undefined);
  }
  if (lost) {
    const since = format.clock(new Date(lost.since));
    set("connection", `Connection lost${lost.reason ? `: ${lost.reason}` : ""}. What is shown is from ${since}. Trying again …`);
  } else {
    set("connection", model.draining ? "live – the gateway is going down" : "live");
  }
}

function set(id, text) {
  if (element(id).textContent !== text) {
    element(id).textContent = text;
  }
}

// --- Time goes on, also between two events

/** While the connection is lost, the clocks stand still with everything else. */
function showTime() {
  board.showTime(lost ? lost.clock : performance.now());
}

function goTo(name) {
  const tile = board.tile(name);
  if (tile) {
    if (!tile.element.isConnected) {
      clearFilter();
    }
    tile.element.scrollIntoView({ block: "nearest" });
    tile.focus();
  }
}

function clearFilter() {
  filter.text = "";
  filter.states.clear();
  element("filter").value = "";
  element("states").querySelectorAll("button").forEach((button) => button.setAttribute("aria-pressed", "false"));
  board.filter(filter);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  readColours();
  board.show();
});
setInterval(showTime, CLOCK_MILLIS);
requests.feed = new Feed(feed);
