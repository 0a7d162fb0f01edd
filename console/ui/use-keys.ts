import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Listens for keys while nobody types in a field and no dialog is open. Names are those of `KeyboardEvent.key`, with
 * `Ctrl+` before them for Ctrl or the command key. The browser's own action is left out.
 */
export function useKeys(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Before the next key, which a person may press as soon as the screen is there.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const isMain = event.ctrlKey || event.metaKey;
      if (!isMain && isTyping(event.target)) return;
      const act = latest.current[(isMain ? 'Ctrl+' : '') + (isMain ? event.key.toLowerCase() : event.key)];
      if (!act || (isMain && isTyping(event.target) && event.key.toLowerCase() !== 'k')) return;
      event.preventDefault();
      act(event);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
