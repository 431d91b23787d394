// Sets the theme before the page is drawn: the theme that the user chose last, or else the system's theme.

let theme: string | null = null;
try {
  theme = localStorage.getItem('theme');
} catch {
  /* Storage may be forbidden. */
}
document.documentElement.dataset.theme =
  theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
