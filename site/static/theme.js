// Frames have the theme of the button beside the title; with "auto", that of the system.
function dress() {
  const { theme } = document.body.dataset;
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument?.documentElement;
    if (page) page.style.colorScheme = theme === "auto" ? "" : theme;
  }
}

for (const frame of document.querySelectorAll("iframe")) frame.addEventListener("load", dress);
new MutationObserver(dress).observe(document.body, { attributeFilter: ["data-theme"] });
dress();
