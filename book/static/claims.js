/* The table of claims: sorts by any column, shows only what fits the filter, and opens the claim that was asked for. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const table = document.getElementById("claims");
  if (!table) return;
  const claims = [...table.tBodies]; // each has a row, and a second one that tells more
  const heads = [...table.tHead.rows[0].cells];

  heads.forEach((head, column) =>
    head.querySelector("button").addEventListener("click", () => {
      const isDown = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const text = (claim) => claim.rows[0].cells[column].textContent;
      const order = (one, other) => text(one).localeCompare(text(other), "en", { numeric: true });
      claims.sort((one, other) => (isDown ? order(other, one) : order(one, other)));
      table.append(...claims);
    }),
  );

  const form = document.getElementById("claims-filter");
  const filter = () => {
    const words = form.elements.words.value.toLowerCase();
    const verdict = form.elements.verdict.value;
    let shown = 0;
    claims.forEach((claim) => {
      const fits = claim.textContent.toLowerCase().includes(words);
      const has = !verdict || claim.querySelector(`[data-verdict="${verdict}"]`);
      claim.hidden = !(fits && has);
      shown += !claim.hidden;
    });
    form.querySelector("output").textContent = `${shown} of ${claims.length} claims`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();

  const tell = (claim, isOpen) => {
    claim.querySelector("button").setAttribute("aria-expanded", isOpen);
    claim.rows[1].hidden = !isOpen;
  };
  claims.forEach((claim) => {
    tell(claim, false);
    claim.querySelector("button").addEventListener("click", () => tell(claim, claim.rows[1].hidden));
  });
  const open = () => {
    const claim = claims.find((one) => location.hash === `#${one.id}`);
    if (!claim) return;
    tell(claim, true);
    claim.scrollIntoView({ block: "center" });
  };
  window.addEventListener("hashchange", open);
  open();
});
