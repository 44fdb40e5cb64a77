// Numbers and times for people.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds with two or three significant digits, such as "3.4 ms", "120 ms", "1.2 s". */
export function latency(millis) {
  if (millis === undefined) {
    return "–";
  }
  return millis < SECOND ? `${digits(millis)} ms` : `${digits(millis / SECOND)} s`;
}

function digits(value) {
  return value < 10 ? value.toFixed(1) : Math.round(value).toString();
}

/** How long something has lasted or will last, in its two largest units: "12 s", "3 min 5 s", "2 h 10 min". */
export function span(millis) {
  const whole = Math.max(0, millis);
  if (whole < MINUTE) {
    return `${Math.floor(whole / SECOND)} s`;
  } else if (whole < HOUR) {
    return two(whole, MINUTE, "min", SECOND, "s");
  } else if (whole < DAY) {
    return two(whole, HOUR, "h", MINUTE, "min");
  }
  return two(whole, DAY, "d", HOUR, "h");
}

function two(millis, large, largeName, small, smallName) {
  const rest = Math.floor((millis % large) / small);
  return `${Math.floor(millis / large)} ${largeName}${rest > 0 ? ` ${rest} ${smallName}` : ""}`;
}

/** A rate per second. */
export function rate(perSecond) {
  if (perSecond === 0) {
    return "0";
  } else if (perSecond < 0.1) {
    return "<0.1";
  } else if (perSecond < 100) {
    return perSecond.toFixed(1);
  }
  return count(Math.round(perSecond));
}

/** A whole number, its thousands apart. */
export function count(number) {
  return number.toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A ratio as a percentage that is 0 only for none, and 100 only for all. */
export function percent(ratio) {
  if (ratio === undefined) {
    return "–";
  } else if (ratio === 0 || ratio === 1) {
    return `${ratio * 100} %`;
  } else if (ratio < 0.001) {
    return "<0.1 %";
  } else if (ratio > 0.999) {
    return ">99.9 %";
  }
  const percentage = ratio * 100;
  return percentage < 10 ? `${percentage.toFixed(1)} %` : `${Math.min(99, Math.round(percentage))} %`;
}

/** A number and what is counted: "1 call", "2 calls". */
export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
});
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
const DATE = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** The time of day in the zone of the browser, with the date if that is another than today's. */
export function clock(date) {
  const today = new Date().toDateString() === date.toDateString();
  return today ? CLOCK.format(date) : `${DATE.format(date)} ${CLOCK.format(date)}`;
}

export function fullTime(date) {
  return FULL.format(date);
}

/** The milliseconds of a duration as the configuration writes it: 500ms, 10s, 2m, 1h, 1d. */
export function millisOf(setting) {
  const [, number, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(setting);
  return Number(number) * { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY }[unit];
}

/** The name of a state for people. */
export function stateName(state) {
  return state.toLowerCase().replace("_", "-");
}
