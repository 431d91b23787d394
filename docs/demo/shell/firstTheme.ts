// Before the page is drawn: the theme that was chosen last, else the system's.

let theme: string | null = null;
try {
  theme = localStorage.getItem('theme');
} catch {
  /* Storage may be forbidden. */
}
document.documentElement.dataset.theme =
  theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
