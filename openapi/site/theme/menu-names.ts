/** Names the buttons that open a part of the menu. The generator calls all of them "toggle section". */
export function nameMenuButtons(): void {
  for (const button of document.querySelectorAll('.VPSidebarItem > .item > .caret')) {
    const part = button.parentElement!.querySelector('.text')?.textContent ?? '';
    button.setAttribute('aria-label', `Operations of ${part}`);
  }
}
