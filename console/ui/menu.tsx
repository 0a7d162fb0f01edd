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
  icon = 'more',
  items,
  tabIndex,
}: {
  readonly label: string;
  readonly icon?: IconName;
  /** A function is called when the menu opens. */
  readonly items: readonly MenuItem[] | (() => readonly MenuItem[]);
  /** -1 if keys reach it in another way. */
  readonly tabIndex?: number;
}) {
  const [place, setPlace] = useState<Place>();
  const button = useRef<HTMLSpanElement>(null);
  const id = useId();
  const close = () => {
    setPlace(undefined);
    button.current?.querySelector('button')?.focus();
  };
  return (
    <span ref={button} class="menu-button">
      <IconButton
        icon={icon}
        label={label}
        tabIndex={tabIndex}
        aria-haspopup="menu"
        aria-expanded={place !== undefined}
        aria-controls={place && id}
        onClick={(event) => {
          event.stopPropagation();
          setPlace(place ? undefined : placeBelow(event.currentTarget.getBoundingClientRect()));
        }}
      />
      {place && (
        <MenuList id={id} items={typeof items === 'function' ? items() : items} place={place} onClose={close} />
      )}
    </span>
  );
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

function MenuList({
  id,
  items,
  place,
  onClose,
}: {
  readonly id: string;
  readonly items: readonly MenuItem[];
  readonly place: Place;
  readonly onClose: () => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const buttons = () => [...list.current!.querySelectorAll('button')];
  const focusAt = (index: number) =>
    buttons()
      .at(index % items.length)
      ?.focus();
  useFocusInside(list, () => focusAt(0), onClose);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = buttons().indexOf(document.activeElement as HTMLButtonElement);
    const act: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focusAt(index + 1),
      ArrowUp: () => focusAt(index - 1),
      Home: () => focusAt(0),
      End: () => focusAt(-1),
      Escape: onClose,
      Tab: onClose,
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
      id={id}
      class="menu"
      popover="manual"
      role="menu"
      style={{
        left: `${place.left}px`,
        width: `${width}px`,
        ...(place.top !== undefined && { top: `${place.top}px` }),
        ...(place.bottom !== undefined && { bottom: `${place.bottom}px` }),
      }}
      onKeyDown={onKeyDown}
    >
      {items.map((item) => (
        <MenuEntry key={item.label} item={item} onClose={onClose} />
      ))}
    </div>
  );
}

/** Shows a list of actions above everything, with the focus in it. What happens outside closes it. */
function useFocusInside(list: RefObject<HTMLElement | null>, focus: () => void, onClose: () => void): void {
  useLayoutEffect(() => {
    // In the top layer no frame of a list cuts it off.
    list.current!.showPopover();
    focus();
    const closeOutside = (event: Event) => {
      if (!(event.target instanceof Node && list.current?.contains(event.target))) onClose();
    };
    addEventListener('pointerdown', closeOutside, true);
    addEventListener('scroll', closeOutside, true);
    return () => {
      removeEventListener('pointerdown', closeOutside, true);
      removeEventListener('scroll', closeOutside, true);
    };
  }, []);
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
