// What is known of the clusters, from the events alone; nothing here knows the page.

export const STATES = ["OPEN", "HALF_OPEN", "ISOLATED", "CLOSED"];
export const SLICES = 60;
const RECENT_SECONDS = 5;
const MOST_TRANSITIONS = 200;

// The places in a slice.
const [SECONDS, OK, SLOW, FAILED, IGNORED, REJECTED, STATE] = [0, 1, 2, 3, 4, 5, 6];

export class Cluster {
  constructor(described) {
    this.name = described.name;
    this.update(described);
  }

  /** All of it anew, as after a lost connection. */
  update(described) {
    this.destinations = described.destinations;
    this.settings = described.settings;
    this.slices = described.slices;
    this.show(described.live);
  }

  /** The circuit and the figures beside the slices. Times are turned into moments on the browser's own clock. */
  show(live) {
    const now = performance.now();
    this.live = live;
    this.state = live.state;
    this.enteredAt = now - live.inState;
    this.probeAt = live.nextProbe === undefined ? undefined : now + live.nextProbe;
  }

  /** A second has passed; without a slice nothing has happened in it. */
  addSlice(slice = [1, 0, 0, 0, 0, 0, this.state]) {
    this.slices.push(slice);
    if (this.slices.length > SLICES) {
      this.slices.shift();
    }
  }

  #sums(slices) {
    const sum = (place) => slices.reduce((total, slice) => total + slice[place], 0);
    const [seconds, ok, slow, failed, ignored, rejected] =
      [SECONDS, OK, SLOW, FAILED, IGNORED, REJECTED].map(sum);
    const counted = ok + slow + failed;
    const all = counted + ignored + rejected;
    return {
      ok, slow, failed, ignored, rejected, all,
      rate: seconds > 0 ? all / seconds : 0,
      errorRatio: counted > 0 ? failed / counted : undefined,
    };
  }

  recent() {
    return this.#sums(this.slices.slice(-RECENT_SECONDS));
  }

  minute() {
    return this.#sums(this.slices);
  }

  /** The slices, newest last, by name. */
  columns() {
    return this.slices.map((slice) => ({
      perSecond: 1 / Math.max(slice[SECONDS], 0.001),
      ok: slice[OK], slow: slice[SLOW], failed: slice[FAILED],
      ignored: slice[IGNORED], rejected: slice[REJECTED], state: slice[STATE],
    }));
  }
}

export class Model {
  clusters = new Map();
  transitions = [];
  draining = false;
  #run;

  /** Takes a whole state; returns the transitions that were not known before, oldest first. */
  state(data) {
    const known = data.run === this.#run ? (this.transitions.at(-1)?.number ?? 0) : 0;
    const first = this.#run === undefined;
    this.#run = data.run;
    this.draining = data.draining;
    const before = this.clusters;
    this.clusters = new Map(data.clusters.map((described) => {
      const cluster = before.get(described.name);
      cluster?.update(described);
      return [described.name, cluster ?? new Cluster(described)];
    }));
    this.transitions = data.transitions;
    return first ? [] : data.transitions.filter((transition) => transition.number > known);
  }

  tick(data) {
    this.draining = data.draining;
    const told = new Map(data.clusters.map((entry) => [entry.name, entry]));
    for (const cluster of this.clusters.values()) {
      const entry = told.get(cluster.name);
      if (entry) {
        cluster.show(entry.live);
      }
      cluster.addSlice(entry?.slice);
    }
  }

  /** Takes a transition; returns the cluster. */
  transition(data) {
    this.draining = data.draining;
    this.transitions.push(data.transition);
    if (this.transitions.length > MOST_TRANSITIONS) {
      this.transitions.shift();
    }
    const cluster = this.clusters.get(data.transition.cluster);
    cluster.show(data.live);
    return cluster;
  }

  /** How many clusters are in each state. */
  counts() {
    const counts = Object.fromEntries(STATES.map((state) => [state, 0]));
    for (const cluster of this.clusters.values()) {
      counts[cluster.state]++;
    }
    return counts;
  }
}
