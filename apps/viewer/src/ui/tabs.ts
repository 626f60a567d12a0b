// Panels of which one is shown at a time.

import { h } from "./dom";

export interface Tab {
  name: string;
  element: HTMLElement;
}

export class Tabs {
  readonly element: HTMLElement;
  onShow: () => void = () => {};
  private readonly bar = h("div", { class: "tabs", role: "tablist" });

  constructor(private readonly tabs: Tab[]) {
    this.element = h("aside", { class: "side" }, this.bar);
    for (const { name, element } of tabs) {
      element.classList.add("panel");
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-label", name);
      this.bar.append(h("button", { type: "button", role: "tab", "data-tab": name, click: () => this.show(name) }, name));
      this.element.append(element);
    }
    this.show(tabs[0].name);
  }

  show(name: string): void {
    this.tabs.forEach((tab, i) => {
      tab.element.hidden = tab.name !== name;
      this.bar.children[i].setAttribute("aria-selected", String(tab.name === name));
    });
    this.onShow();
  }
  get shown(): string {
    return this.tabs.find((tab) => !tab.element.hidden)?.name ?? "";
  }
}
