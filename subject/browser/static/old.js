// In words that any browser reads: says so where the page cannot run, and reports it. What the page needs newer is in the others.

(function () {
  function tooOld() {
    var visit = location.pathname.split("/")[2];
    var token = location.hash.slice(1);
    document.getElementById("headline").textContent = document.body.getAttribute("data-too-old");
    if (!window.WebSocket || !visit || !token) return;
    var socket = new WebSocket(location.protocol.replace("http", "ws") + "//" + location.host + "/visit/" + visit + "/link");
    socket.onopen = function () {
      socket.send(JSON.stringify({ m: "unusable", token: token }));
    };
  }

  window.tooOld = tooOld;
  window.addEventListener("load", function () {
    if (!window.begun) tooOld();
  });
})();
