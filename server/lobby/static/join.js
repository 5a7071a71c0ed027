// The waiting page: says what comes, and goes on to the visit when it can begin.

const by = (id) => document.getElementById(id);
const { lost: LOST } = document.body.dataset;
const REJECTED = 4001;
const AGAIN_MS = 2000;
const TICKET = "ticket";

function say(id, text) {
  if (by(id).textContent !== text) by(id).textContent = text;
}

/** What tells this browser from another that opens the same address. */
function ticket() {
  const kept = localStorage.getItem(TICKET);
  if (kept) return kept;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  localStorage.setItem(TICKET, made);
  return made;
}

function connect() {
  const socket = new WebSocket(new URL("/join/link", location.href).href.replace(/^http/, "ws"));
  socket.onopen = () => socket.send(JSON.stringify({ m: "hello", code: location.hash.slice(1), ticket: ticket(), query: location.search.slice(1, 2000) }));
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.m === "go") return location.replace(message.address);
    for (const id of ["headline", "duration", "place"]) say(id, message[id]);
  };
  socket.onclose = ({ code, reason }) => {
    if (code === REJECTED) {
      say("headline", reason);
      say("duration", "");
      return say("place", "");
    }
    say("place", LOST);
    setTimeout(connect, AGAIN_MS);
  };
}

window.begun = true;
try {
  connect();
} catch {
  window.tooOld();
}
