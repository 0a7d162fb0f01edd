import type { RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly isDangerous?: boolean;
  readonly onChoose: () => void;
}

/** A button that opens a list of actions. */
export function Menu({
  label,
  icon,
  items,
}: {
  readonly label: string;
  readonly icon?: IconName;
  readonly items: readonly MenuItem[];
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <MenuButton id={id} label={label} {...(icon && { icon })} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isOpen && <MenuList of={id} items={items} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The button of a {@link MenuList}. Rows that give their elements to other rows have one list together. */
export function MenuButton({
  id,
  label,
  icon = 'more',
  isOpen,
  onToggle,
  tabIndex,
}: {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** -1 if keys reach it in another way. */
  readonly tabIndex?: number;
}) {
  return (
    <span class="menu-button">
      <IconButton
        id={id}
        icon={icon}
        label={label}
        tabIndex={tabIndex}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId(id) : undefined}
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
      />
    </span>
  );
}

function listId(buttonId: string): string {
  return `${buttonId}-menu`;
}

/** A place in the window, in pixels from its left and its top or bottom edge. */
interface Place {
  readonly left: number;
  readonly top?: number;
  readonly bottom?: number;
}

const width = 224;

function placeBelow({ left, right, top, bottom }: DOMRect): Place {
  const start = Math.max(8, Math.min(right - width, innerWidth - width - 8));
  const isRoomy = bottom < innerHeight * 0.6;
  return {
    left: document.dir === 'rtl' ? Math.min(left, innerWidth - width - 8) : start,
    ...(isRoomy ? { top: bottom + 4 } : { bottom: innerHeight - top + 4 }),
  };
}

/**
 * The actions of a button, beside it and above everything, with the focus in them. They stay when the page is drawn
 * again or scrolls. What the person does outside closes them.
 */
export function MenuList({
  of,
  items,
  onClose,
}: {
  /** The id of the button. */
  readonly of: string;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const buttons = () => [...list.current!.querySelectorAll('button')];
  const focusAt = (index: number) =>
    buttons()
      .at(index % items.length)
      ?.focus();
  const close = () => {
    onClose();
    document.getElementById(of)?.focus({ preventScroll: true });
  };
  useTopLayer(list, of, close);
  useLayoutEffect(() => {
    putBeside(list.current!, document.getElementById(of));
    // It is new, or the item that had the focus has gone.
    if (!list.current!.contains(document.activeElement)) focusAt(0);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const index = buttons().indexOf(document.activeElement as HTMLButtonElement);
    const act: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focusAt(index + 1),
      ArrowUp: () => focusAt(index - 1),
      Home: () => focusAt(0),
      End: () => focusAt(-1),
      Escape: close,
      Tab: close,
    };
    const chosen = act[event.key];
    event.stopPropagation();
    if (!chosen) return;
    event.preventDefault();
    chosen();
  };
  return (
    <div
      ref={list}
      id={listId(of)}
      class="menu"
      popover="manual"
      role="menu"
      aria-labelledby={of}
      onKeyDown={onKeyDown}
    >
      {items.map((item) => (
        <MenuEntry key={item.label} item={item} onClose={close} />
      ))}
    </div>
  );
}

/** Shows a list above everything while it is there, beside its button while that is seen. */
function useTopLayer(list: RefObject<HTMLElement | null>, buttonId: string, close: () => void): void {
  useLayoutEffect(() => {
    // In the top layer no frame of a list cuts it off.
    list.current!.showPopover();
    const isInside = ({ target }: Event) => target instanceof Node && list.current!.contains(target);
    const closeOutside = (event: Event) => {
      const isButton = event.target instanceof Element && event.target.closest('button')?.id === buttonId;
      // A click on its button closes it too.
      if (!isInside(event) && !isButton) close();
    };
    // Rows that are drawn again move the page too, and the scroll that shows a button may be told after its click.
    const follow = (event: Event) => {
      if (isInside(event)) return;
      const button = document.getElementById(buttonId);
      // Without one, the rows are being read anew.
      if (button && !isSeen(button)) close();
      else putBeside(list.current!, button);
    };
    addEventListener('pointerdown', closeOutside, true);
    addEventListener('scroll', follow, true);
    addEventListener('resize', follow);
    return () => {
      removeEventListener('pointerdown', closeOutside, true);
      removeEventListener('scroll', follow, true);
      removeEventListener('resize', follow);
    };
  }, []);
}

/** Whether the middle of an element is in the window, and no frame cuts it off. */
function isSeen(element: HTMLElement): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return document.elementsFromPoint((left + right) / 2, (top + bottom) / 2).includes(element);
}

/** Moves a list to its button. It stays where it is while the button is not in the document. */
function putBeside(list: HTMLElement, button: HTMLElement | null): void {
  if (!button) return;
  const { left, top, bottom } = placeBelow(button.getBoundingClientRect());
  Object.assign(list.style, { width: px(width), left: px(left), top: px(top), bottom: px(bottom) });
}

function px(length: number | undefined): string {
  return length === undefined ? '' : `${length}px`;
}

function MenuEntry({
  item: { label, icon, isDangerous = false, onChoose },
  onClose,
}: {
  readonly item: MenuItem;
  readonly onClose: () => void;
}) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={isDangerous ? 'dangerous' : ''}
      onClick={(event) => {
        event.stopPropagation();
        onClose();
        onChoose();
      }}
    >
      {icon && <Icon name={icon} size={18} />}
      {label}
    </button>
  );
}
