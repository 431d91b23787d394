// Sets the theme before the page is drawn: the last chosen one, or that of the system.

let theme: string | null = null;
try {
  theme = localStorage.getItem('theme');
} catch {
  /* Storage may be forbidden. */
}
document.documentElement.dataset.theme =
  theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
