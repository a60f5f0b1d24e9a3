import { type ComponentChildren, type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { useLayer } from '../lib/layers.js';
import { Button } from './button.js';
import { confirm, question } from './confirm.js';
import { focusFirst, giveBack, keepInside, noteOpener } from './focus.js';
import { Toasts } from './toasts.js';
import { useTyped } from './typed.js';

interface Props {
  readonly title: string;
  readonly children: ComponentChildren;
  /**
   * Is called when the person closes the dialog: by Escape, by the cross, by `CancelButton`, or by a click beside it.
   */
  readonly onClose: () => void;
  readonly footer?: ComponentChildren;
  readonly isWide?: boolean;
}

/** Is shown at the top of all dialogs, because nothing behind a modal dialog can be used or heard. */
export const AtopDialogs = createContext<ComponentType>(() => null);

const CloseDialog = createContext<() => unknown>(() => undefined);

/** A button that closes the dialog around it, after a question if something was typed. */
export function CancelButton() {
  const close = useContext(CloseDialog);
  return <Button onPress={() => void close()}>Cancel</Button>;
}

/** A modal dialog. It keeps the focus inside, and gives it back at the end. It asks before typed text is lost. */
export function Dialog({ title, children, onClose, footer, isWide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const Atop = useContext(AtopDialogs);
  const isTop = useLayer();
  const { close, closedByBrowser } = useClosing(dialog, onClose);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${isWide ? 'wide' : ''}`}
      aria-labelledby={id}
      onKeyDown={(event) => {
        keepInside(event.currentTarget, event);
        if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        void close();
      }}
      onCancel={(event) => {
        event.preventDefault();
        void close();
      }}
      onClose={closedByBrowser}
      onMouseDown={(event) => {
        if (event.target === dialog.current) void close();
      }}
    >
      <CloseDialog.Provider value={close}>
        <div class="dialog-box">
          <header class="dialog-head">
            <h2 id={id} tabIndex={-1}>
              {title}
            </h2>
            <button type="button" class="icon-button" aria-label="Close" onClick={() => void close()}>
              ✕
            </button>
          </header>
          <Atop />
          <div class="dialog-body">{children}</div>
          {footer !== undefined && <footer class="dialog-foot">{footer}</footer>}
        </div>
      </CloseDialog.Provider>
      <Toasts isShown={isTop} />
    </dialog>
  );
}

interface Closing {
  /** Closes the dialog, after a question if something was typed. */
  readonly close: () => Promise<void>;
  /** Is to be called when the browser has closed the dialog itself. */
  readonly closedByBrowser: () => void;
}

/** Shows the dialog, and returns the functions that close it. */
function useClosing(dialog: { readonly current: HTMLDialogElement | null }, onClose: () => void): Closing {
  const isShown = useRef(true);
  const isAsking = useRef(false);
  const hasTyped = useTyped(dialog);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const before = noteOpener(element);
    isShown.current = true;
    element.showModal();
    focusFirst(element);
    return () => {
      isShown.current = false;
      // The text was saved while the question was open.
      if (isAsking.current) question.peek()?.answer(false);
      // While a modal dialog is open, nothing outside of it can take the focus.
      element.close();
      giveBack(before);
    };
  }, []);
  const close = async (): Promise<void> => {
    if (isAsking.current) return;
    isAsking.current = true;
    const isAgreed = !hasTyped() || (await discarding());
    isAsking.current = false;
    if (isAgreed && isShown.current) onClose();
  };
  const closedByBrowser = (): void => {
    if (!isShown.current) return;
    // After two cancelled attempts, browsers close a dialog anyway. It is shown again, because it may have to ask a
    // question.
    dialog.current?.showModal();
    // The dialog is now above its question, where nobody can answer it.
    if (isAsking.current) question.peek()?.answer(false);
    else void close();
  };
  return { close, closedByBrowser };
}

function discarding(): Promise<boolean> {
  return confirm({
    title: 'Discard what you typed?',
    text: 'It was not saved.',
    action: 'Discard',
    isDangerous: true,
  });
}
