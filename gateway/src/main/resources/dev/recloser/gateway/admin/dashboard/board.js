// All tiles: which are shown, in which order, and how large.

import { Tile } from "./tile.js";
import { STATES } from "./model.js";

/** With more closed circuits than this, the tiles of those are small. */
const MANY = 12;
/** A difference of ratios that changes the order; less than that would only make tiles change places for ever. */
const RATIO_STEP = 0.05;
/** Likewise of volumes, as a power of two. */
const VOLUME_STEP = 1;
const HOLD_POINTER_MILLIS = 10_000;
const HOLD_FOCUS_MILLIS = 30_000;

export class Board {
  #root = document.getElementById("board");
  #urgent = document.getElementById("urgent");
  #calm = document.getElementById("calm");
  #nothing = document.getElementById("nothing");
  #tiles = new Map();
  #order = [];
  #heldSince = { pointer: -Infinity, focus: -Infinity };
  #act;
  #watcher;
  #filter = { text: "", states: new Set() };

  constructor(act) {
    this.#act = act;
    this.#watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const tile = this.#tiles.get(entry.target.dataset.cluster);
        if (tile) {
          tile.visible = entry.isIntersecting;
        }
      }
    }, { rootMargin: "200px" });
    this.#hold("pointermove", "pointer", (event) => event.pointerType === "mouse");
    this.#hold("pointerdown", "pointer", () => true);
    this.#hold("focusin", "focus", (event) => event.target !== this.#root);
    this.#hold("keydown", "focus", () => true);
    this.#root.addEventListener("pointerleave", () => { this.#heldSince.pointer = -Infinity; });
    this.#root.addEventListener("focusout", () => { this.#heldSince.focus = -Infinity; });
    new ResizeObserver(() => this.#tiles.forEach((tile) => tile.show())).observe(this.#root);
  }

  #hold(event, what, applies) {
    this.#root.addEventListener(event, (happened) => {
      if (applies(happened)) {
        this.#heldSince[what] = performance.now();
      }
    });
  }

  /** Whether somebody is at a tile, so that nothing may jump away. */
  get held() {
    const now = performance.now();
    return now - this.#heldSince.pointer < HOLD_POINTER_MILLIS || now - this.#heldSince.focus < HOLD_FOCUS_MILLIS;
  }

  /** Other clusters than before, as after a lost connection. */
  setClusters(clusters) {
    const before = [...this.#tiles.keys()];
    for (const [name, tile] of this.#tiles) {
      if (!clusters.has(name)) {
        this.#watcher.unobserve(tile.element);
        tile.element.remove();
        this.#tiles.delete(name);
      }
    }
    for (const cluster of clusters.values()) {
      if (!this.#tiles.has(cluster.name)) {
        const tile = new Tile(cluster, this.#act);
        this.#tiles.set(cluster.name, tile);
        this.#watcher.observe(tile.element);
      }
    }
    const all = new Set(this.#tiles.values());
    this.#order = [...new Set([...this.#order.filter((tile) => all.has(tile)), ...all])];
    this.arrange(before.join() !== [...this.#tiles.keys()].join());
    this.show();
  }

  filter(filter) {
    this.#filter = filter;
    this.arrange(true);
  }

  show() {
    this.#tiles.forEach((tile) => tile.show());
  }

  showCluster(name) {
    this.#tiles.get(name)?.show();
  }

  showTime(now) {
    this.#tiles.forEach((tile) => tile.showTime(now));
  }

  /** Of all tiles, also of those that the filter has taken away. */
  setLost(lost) {
    this.#tiles.forEach((tile) => { tile.lost = lost; });
  }

  tile(name) {
    return this.#tiles.get(name);
  }

  /** Puts the tiles in order, unless somebody is at one of them; returns whether that is so and the order another one. */
  arrange(always = false) {
    const order = this.#sorted();
    const layout = layoutOf(order, (tile) => this.#isShown(tile));
    if (this.held && !always) {
      return !this.#isLaidOut(layout);
    }
    this.#order = order;
    this.#layOut(layout);
    return false;
  }

  #sorted() {
    const keys = new Map(this.#order.map((tile, index) => [tile, [...rank(tile), index]]));
    return [...this.#order].sort((a, b) => compare(keys.get(a), keys.get(b)));
  }

  #isShown(tile) {
    const { text, states } = this.#filter;
    return tile.cluster.name.toLowerCase().includes(text) && (states.size === 0 || states.has(tile.cluster.state));
  }

  #isLaidOut({ urgent, calm }) {
    const same = (list, tiles) =>
      list.children.length === tiles.length && tiles.every((tile, index) => list.children[index] === tile.element);
    return same(this.#urgent, urgent) && same(this.#calm, calm);
  }

  #layOut({ urgent, calm }) {
    const focused = document.activeElement;
    this.#calm.classList.toggle("dense", calm.length > MANY);
    fill(this.#urgent, urgent);
    fill(this.#calm, calm);
    this.#urgent.hidden = urgent.length === 0;
    this.#calm.hidden = calm.length === 0;
    this.#nothing.hidden = urgent.length + calm.length > 0;
    this.#nothing.textContent = this.#tiles.size > 0 ? "No circuit fits the filter." : "There are no clusters.";
    if (focused !== document.activeElement && focused.isConnected) {
      focused.focus({ preventScroll: true });
    }
  }
}

function layoutOf(order, isShown) {
  const shown = order.filter(isShown);
  return {
    urgent: shown.filter((tile) => tile.cluster.state !== "CLOSED"),
    calm: shown.filter((tile) => tile.cluster.state === "CLOSED"),
  };
}

/** By state, then by errors, then by volume; the last two as they were until they have changed enough to matter. */
function rank(tile) {
  const minute = tile.cluster.minute();
  const errors = minute.errorRatio ?? 0;
  const volume = Math.log2(1 + minute.all);
  const held = (tile.rank ??= { errors, volume });
  if (Math.abs(errors - held.errors) >= RATIO_STEP || (errors === 0) !== (held.errors === 0)) {
    held.errors = errors;
  }
  if (Math.abs(volume - held.volume) >= VOLUME_STEP) {
    held.volume = volume;
  }
  return [STATES.indexOf(tile.cluster.state), -held.errors, -held.volume];
}

function compare(a, b) {
  const place = a.findIndex((value, index) => value !== b[index]);
  return place < 0 ? 0 : a[place] - b[place];
}

/** Makes the elements of these tiles the children of a list, moving as few as possible. */
function fill(list, tiles) {
  const wanted = new Set(tiles.map((tile) => tile.element));
  [...list.children].filter((child) => !wanted.has(child)).forEach((child) => child.remove());
  tiles.forEach((tile, index) => {
    if (list.children[index] !== tile.element) {
      list.insertBefore(tile.element, list.children[index] ?? null);
    }
  });
}
