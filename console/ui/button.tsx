import type { ComponentChildren, ComponentProps } from 'preact';

import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'icon' | 'class'> {
  readonly class?: string;
  readonly kind?: 'plain' | 'first' | 'danger' | 'quiet';
  readonly icon?: IconName;
  /** Whether its action runs. It keeps its width and cannot be pressed again. */
  readonly isBusy?: boolean;
  readonly children?: ComponentChildren;
}

export function Button({ kind = 'plain', icon, isBusy = false, class: extra = '', children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind} ${extra}`}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled || isBusy}
    >
      {icon && <Icon name={icon} size={18} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'icon' | 'class'> {
  readonly class?: string;
  readonly icon: IconName;
  /** Its name for people, also shown when the pointer rests on it. */
  readonly label: string;
}

export function IconButton({ icon, label, class: extra = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} class={`icon-button ${extra}`} aria-label={label}>
      <Icon name={icon} />
    </button>
  );
}
