// This page's clock: monotonic as long as the page is loaded, and under a name of its own for each time that it is.

/** The clock's name and the moment from which it counts; a worker adopts those of the page that began it. */
export const clock = {
  name: "page-" + Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => (byte % 36).toString(36)).join(""),
  base: performance.timeOrigin,
};

/** Milliseconds on a scale that this page and its worker share. */
export const now = () => performance.timeOrigin + performance.now();

/** The stamp of a moment of `now`; wall time as it is now, less what has passed since. */
export function stamp(moment = now()) {
  const ago = now() - moment;
  return { clock: clock.name, mono: Math.round((moment - clock.base) * 1e6), wall: Math.round((Date.now() - ago) * 1e6) };
}

/** The moment of `now` at which something was stamped here. */
export const momentOf = ({ mono }) => clock.base + mono / 1e6;

/** Nanoseconds of the monotonic clock. */
export const mono = () => Math.round((now() - clock.base) * 1e6);

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A name that sorts by time: 48 bits of milliseconds, 80 of chance. */
export function ulid() {
  let time = Date.now();
  let name = "";
  for (let place = 0; place < 10; place++) {
    name = DIGITS[time % 32] + name;
    time = Math.floor(time / 32);
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) name += DIGITS[byte % 32];
  return name;
}
