/** Prints in light colors: browsers leave out dark backgrounds, and light text on white paper cannot be read. */
export function printLight(): void {
  const { classList } = document.documentElement;
  let wasDark = false;
  addEventListener('beforeprint', () => {
    wasDark = classList.contains('dark');
    classList.remove('dark');
  });
  addEventListener('afterprint', () => classList.toggle('dark', wasDark || classList.contains('dark')));
}
