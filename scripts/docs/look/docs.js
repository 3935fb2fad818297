// Adds the search box, tabs and buttons that copy code, and marks the current section in the list beside the page.
import "./search-box.js";
import "./tabs.js";

const COPIED_MS = 2000;

/** Browsers provide the clipboard only over HTTPS and on localhost. */
if (navigator.clipboard) {
  for (const block of document.querySelectorAll(".code:not(.signature)")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(block.querySelector("code").textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not copied";
      }
      setTimeout(() => {
        button.textContent = "Copy";
      }, COPIED_MS);
    });
    block.append(button);
  }
}

const links = new Map(
  [...document.querySelectorAll(".on-this-page a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
);
const sections = [...links.keys()].map((id) => document.getElementById(id)).filter((section) => section !== null);

function markCurrentSection() {
  const line = innerHeight / 4;
  const passed = sections.filter((section) => section.getBoundingClientRect().top <= line);
  const current = links.get((passed.at(-1) ?? sections[0])?.id);
  for (const link of links.values()) link.toggleAttribute("data-current", link === current);
  const list = document.querySelector(".on-this-page");
  if (!current || !list) return;
  // Scroll only the list, not the page.
  const { offsetTop, offsetHeight } = current;
  if (offsetTop < list.scrollTop || offsetTop + offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = offsetTop - list.clientHeight / 2;
  }
}

if (sections.length > 0) {
  let scheduled = false;
  const scheduleUpdate = () => {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => {
      scheduled = false;
      markCurrentSection();
    });
  };
  addEventListener("scroll", scheduleUpdate, { passive: true });
  addEventListener("resize", scheduleUpdate, { passive: true });
  markCurrentSection();
}

// Scroll a long navigation to the current page.
const navigation = document.querySelector(".navigation");
const currentPage = navigation?.querySelector("[aria-current]");
if (navigation && currentPage) navigation.scrollTop = currentPage.offsetTop - navigation.clientHeight / 2;
