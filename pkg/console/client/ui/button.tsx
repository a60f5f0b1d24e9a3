import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { report } from './toasts.js';

interface Props extends Omit<JSX.HTMLAttributes<HTMLButtonElement>, 'onClick' | 'disabled' | 'icon'> {
  readonly children?: ComponentChildren;
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  /** Why it cannot be used. It still gets the focus, and reports this when it is pressed. */
  readonly unavailable?: string | undefined;
  readonly disabled?: boolean;
  /** Whether its work is still running, if `onPress` returns no promise. */
  readonly isBusy?: boolean;
  /** The id of the form that it submits, if it is outside of the form. */
  readonly form?: string;
  /** While its promise is pending, the button is busy and cannot be pressed again. Rejections are reported. */
  readonly onPress?: (event: JSX.TargetedMouseEvent<HTMLButtonElement>) => unknown;
}

/** A button. While it is busy it keeps the focus, which a disabled element would lose. */
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
    if (unavailable !== undefined || isBusy) event.preventDefault();
    if (unavailable !== undefined) report(unavailable);
    if (unavailable !== undefined || isBusy) return;
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
      disabled={disabled === true}
      aria-disabled={unavailable !== undefined || isBusy}
      aria-busy={isBusy}
      title={unavailable ?? (rest.title as string | undefined)}
      onClick={press}
    >
      {children}
    </button>
  );
}
