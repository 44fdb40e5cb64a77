// Draws the last minute of a cluster: a column for each second. What the service answered stands above the line, what failed or was
// rejected hangs below it, each with a pattern of its own, so that nothing depends on colour alone.

import { SLICES } from "./model.js";

const TRACK = 4;
const GAP_FROM = 4;
const UP = ["ok", "slow", "ignored"];
const DOWN = ["failed", "rejected"];

const colours = {};
let patterns = {};

/** Reads the colours of the style sheet; to be called first, and when the colour scheme changes. */
export function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of [...UP, ...DOWN, "line", "OPEN", "HALF_OPEN", "ISOLATED"]) {
    colours[name] = style.getPropertyValue(`--strip-${name.toLowerCase().replace("_", "-")}`).trim();
  }
  colours.surface = style.getPropertyValue("--surface").trim();
  patterns = {
    ok: colours.ok,
    ignored: colours.ignored,
    slow: pattern(colours.slow, [[0, 0, 4, 1], [0, 2, 4, 1]]),
    failed: colours.failed,
    rejected: pattern(colours.rejected, [[0, 0, 1, 1], [1, 1, 1, 1], [2, 2, 1, 1], [3, 3, 1, 1], [2, 0, 1, 1], [3, 1, 1, 1], [0, 2, 1, 1], [1, 3, 1, 1]]),
  };
}

/** A tile of four by four pixels: the surface, and some rectangles in a colour. */
function pattern(colour, rectangles) {
  const tile = document.createElement("canvas");
  tile.width = 4;
  tile.height = 4;
  const context = tile.getContext("2d");
  context.fillStyle = colours.surface;
  context.fillRect(0, 0, 4, 4);
  context.fillStyle = colour;
  rectangles.forEach((rectangle) => context.fillRect(...rectangle));
  return context.createPattern(tile, "repeat");
}

const total = (column, kinds) => kinds.reduce((sum, kind) => sum + column[kind], 0) * column.perSecond;

/** Draws the columns; returns the height of the largest one, in requests per second. */
export function draw(canvas, columns) {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const context = fit(canvas, width, height);
  const most = (kinds) => columns.reduce((top, column) => Math.max(top, total(column, kinds)), 0);
  const up = most(UP);
  const down = most(DOWN);
  const area = height - TRACK - 1;
  const line = up + down > 0 ? Math.round((area * up) / (up + down)) : area;
  const scale = up + down > 0 ? area / (up + down) : 0;
  const columnWidth = width / SLICES;
  columns.forEach((column, index) => {
    const left = Math.round((SLICES - columns.length + index) * columnWidth);
    const right = Math.round((SLICES - columns.length + index + 1) * columnWidth);
    const box = { context, left, width: Math.max(1, right - left - (columnWidth >= GAP_FROM ? 1 : 0)) };
    stack(box, column, UP, line, -1, scale);
    stack(box, column, DOWN, line + 1, 1, scale);
    track({ ...box, width: right - left }, column.state, height);
  });
  context.fillStyle = colours.line;
  context.fillRect(0, line, width, 1);
  return Math.max(up, down);
}

function fit(canvas, width, height) {
  const density = window.devicePixelRatio || 1;
  const context = canvas.getContext("2d");
  if (canvas.width !== Math.round(width * density) || canvas.height !== Math.round(height * density)) {
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
  }
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** The kinds one upon the other, away from the line. What there is at all is at least a pixel high. */
function stack({ context, left, width }, column, kinds, from, direction, scale) {
  let edge = from;
  for (const kind of kinds) {
    if (column[kind] > 0) {
      const size = Math.max(1, column[kind] * column.perSecond * scale);
      context.fillStyle = patterns[kind];
      context.fillRect(left, direction < 0 ? edge - size : edge, width, size);
      edge += direction * size;
    }
  }
}

/** Along the lower edge, the state of the circuit: nothing while it was closed, and bars of different kinds. */
function track({ context, left, width }, state, height) {
  context.fillStyle = colours[state] ?? "transparent";
  if (state === "OPEN") {
    context.fillRect(left, height - TRACK, width, TRACK);
  } else if (state === "HALF_OPEN") {
    context.fillRect(left, height - TRACK / 2, width, TRACK / 2);
  } else if (state === "ISOLATED") {
    context.fillRect(left, height - TRACK, width, 1);
    context.fillRect(left, height - 1, width, 1);
  }
}
