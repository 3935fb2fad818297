// What the pages do beyond being read: code can be copied, and the list beside a page follows the reader.
const COPIED_FOR_MS = 2000;

/** Without a clipboard there is no button: a page that is not served over HTTPS, nor from this machine, has none. */
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
      }, COPIED_FOR_MS);
    });
    block.append(button);
  }
}

const links = new Map(
  [...document.querySelectorAll(".on-this-page a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
);
const places = [...links.keys()].map((id) => document.getElementById(id)).filter((place) => place !== null);

function follow() {
  const line = innerHeight / 4;
  const passed = places.filter((place) => place.getBoundingClientRect().top <= line);
  const current = links.get((passed.at(-1) ?? places[0])?.id);
  for (const link of links.values()) link.toggleAttribute("data-current", link === current);
  const list = document.querySelector(".on-this-page");
  if (!current || !list) return;
  // Within the list alone: the page stays where its reader has put it.
  const { offsetTop, offsetHeight } = current;
  if (offsetTop < list.scrollTop || offsetTop + offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = offsetTop - list.clientHeight / 2;
  }
}

if (places.length > 0) {
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      follow();
    });
  };
  addEventListener("scroll", ask, { passive: true });
  addEventListener("resize", ask, { passive: true });
  follow();
}

// The page that is read stands in the middle of a long navigation.
const navigation = document.querySelector(".navigation");
const here = navigation?.querySelector("[aria-current]");
if (navigation && here) navigation.scrollTop = here.offsetTop - navigation.clientHeight / 2;
