// Sets the theme of a page before the page is drawn. Uses the theme that the user chose last or, without a
// choice, the theme of the system.

let theme: string | null = null;
try {
  theme = localStorage.getItem('theme');
} catch {
  /* Storage may be forbidden. */
}
document.documentElement.dataset.theme =
  theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
