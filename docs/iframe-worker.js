// What is typed is looked for as words: --limit, -m and R1:F are no operators, which would be a wrong query.
// The second kind of message of the theme's worker has the query.
const plainQuery = (message) => message?.type === 2 && typeof message.data === "string"
  ? { ...message, data: message.data.replace(/[-+:~^*]+/g, " ").trim() } : message;
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) { post.call(this, plainQuery(message), ...rest); };

// Search in pages that are opened from a folder. Browsers refuse workers there, so the script of the
// worker runs in a frame, with the same messages.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      this.scope = frame.contentWindow;
      this.scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = frame.contentDocument.createElement("script");
      this.loaded = new Promise((resolve) => { script.onload = resolve; });
      script.src = new URL(url, location.href);
      frame.contentDocument.documentElement.append(script);
    }

    postMessage(data) {
      this.loaded.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data: plainQuery(data) })));
    }
  };
}
