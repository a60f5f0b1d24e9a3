import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { report } from './toasts.js';

interface Props extends Omit<JSX.HTMLAttributes<HTMLButtonElement>, 'onClick' | 'disabled' | 'icon'> {
  readonly children?: ComponentChildren;
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  /** Why it cannot be used. It stays in reach of the keyboard, and tells this. */
  readonly unavailable?: string | undefined;
  readonly disabled?: boolean;
  /** Whether what it has begun is not over yet, if that is not the promise of `onPress`. */
  readonly isBusy?: boolean;
  /** The id of the form that it submits, if it stands outside of it. */
  readonly form?: string;
  /** While its promise is pending, the button shows that and cannot be pressed again. What it rejects with is told. */
  readonly onPress?: (event: JSX.TargetedMouseEvent<HTMLButtonElement>) => unknown;
}

export function Button({
  children,
  look = 'plain',
  unavailable,
  onPress,
  disabled,
  isBusy: given = false,
  class: own,
  ...rest
}: Props) {
  const [isPending, setPending] = useState(false);
  const isBusy = given || isPending;
  const press = async (event: JSX.TargetedMouseEvent<HTMLButtonElement>): Promise<void> => {
    if (unavailable !== undefined) {
      event.preventDefault();
      report(unavailable);
      return;
    }
    const result = onPress?.(event);
    if (!(result instanceof Promise)) return;
    setPending(true);
    try {
      await result;
    } catch (error) {
      report(error);
    } finally {
      setPending(false);
    }
  };
  return (
    <button
      type="button"
      {...rest}
      class={`button ${look} ${isBusy ? 'busy' : ''} ${own ?? ''}`}
      disabled={disabled === true || isBusy}
      aria-disabled={unavailable !== undefined}
      title={unavailable ?? (rest.title as string | undefined)}
      onClick={press}
    >
      {children}
    </button>
  );
}
