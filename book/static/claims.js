/* The table of claims: sorts by any column, and shows only what was searched for. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const table = document.getElementById("claims");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];

  heads.forEach((head, column) =>
    head.querySelector("button").addEventListener("click", () => {
      const isDown = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const text = (row) => row.cells[column].textContent;
      const order = (one, other) => text(one).localeCompare(text(other), "en", { numeric: true });
      rows.sort((one, other) => (isDown ? order(other, one) : order(one, other)));
      body.append(...rows);
    }),
  );

  const form = document.getElementById("claims-filter");
  const filter = () => {
    const words = form.elements.words.value.toLowerCase();
    const verdict = form.elements.verdict.value;
    let shown = 0;
    rows.forEach((row) => {
      const fits = row.textContent.toLowerCase().includes(words);
      const has = !verdict || row.querySelector(`[data-verdict="${verdict}"]`);
      row.hidden = !(fits && has);
      shown += !row.hidden;
    });
    form.querySelector("output").textContent = `${shown} of ${rows.length} claims`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
});
