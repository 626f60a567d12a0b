// The page: loads the run that stands in it, builds the stage and the panels, keeps them in step.

import "./style.css";
import { servedLink } from "./data/link";
import { loadRun } from "./data/run";
import { App } from "./app";
import { h } from "./ui/dom";

declare global {
  interface Window {
    abut?: App; // for tests, and for pictures made without a screen
    abutReady?: Promise<void>;
  }
}

async function start(): Promise<void> {
  const run = await loadRun();
  document.title = `${run.header.scene.name || "Run"} – Abut`;
  const app = new App(run, servedLink());
  document.body.append(app.element);
  window.abut = app;
  app.begin();
}

window.abutReady = start().catch((error: unknown) => {
  document.body.append(h("div", { class: "failure" }, h("h2", {}, "This report cannot be shown"), h("p", {}, String(error))));
  throw error;
});
