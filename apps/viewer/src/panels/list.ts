// A list of any length: only the rows in sight are in the page.

import { h } from "../ui/dom";

export class LongList<T> {
  readonly element = h("div", { class: "list", tabindex: 0 });
  private readonly space = h("div", { class: "list-space" });
  private items: T[] = [];
  private waiting = -1; // to be revealed

  constructor(private readonly rowHeight: number, private readonly row: (item: T) => HTMLElement) {
    this.element.append(this.space);
    this.element.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => {
      // A list that was hidden could not scroll.
      if (this.waiting >= 0) this.reveal(this.waiting);
      this.draw();
    }).observe(this.element);
  }

  setItems(items: T[]): void {
    this.items = items;
    this.space.style.height = `${items.length * this.rowHeight}px`;
    this.draw();
  }

  reveal(index: number): void {
    const top = index * this.rowHeight;
    const { scrollTop, clientHeight } = this.element;
    this.waiting = clientHeight === 0 ? index : -1;
    if (clientHeight === 0) return;
    if (top < scrollTop || top + this.rowHeight > scrollTop + clientHeight) this.element.scrollTop = Math.max(0, top - clientHeight / 3);
  }

  draw(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.rowHeight) - 4);
    const last = Math.min(this.items.length, Math.ceil((scrollTop + clientHeight) / this.rowHeight) + 4);
    this.space.replaceChildren();
    for (let i = first; i < last; ++i) {
      const row = this.row(this.items[i]);
      row.classList.add("row");
      row.style.top = `${i * this.rowHeight}px`;
      row.style.height = `${this.rowHeight}px`;
      this.space.append(row);
    }
  }
}
