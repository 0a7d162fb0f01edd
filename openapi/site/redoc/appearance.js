// Takes over the reader's choice of light or dark from the site, before anything is shown.
let mode;
try {
  const chosen = localStorage.getItem('vitepress-theme-appearance');
  if (chosen === 'dark' || chosen === 'light') localStorage.setItem('redoc.colorMode', chosen);
  mode = localStorage.getItem('redoc.colorMode');
} catch {
  // Without storage, the system decides.
}
mode ||= matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
document.documentElement.classList.toggle('dark', mode === 'dark');
