import { type ComponentChildren, type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';

interface Props {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Is called when the person closes it: by Escape, by the cross, or by a click beside it. */
  readonly onClose: () => void;
  readonly footer?: ComponentChildren;
  readonly isWide?: boolean;
}

/** What stands at the top of all dialogs. What is behind a modal dialog can neither be used nor heard. */
export const AtopDialogs = createContext<ComponentType>(() => null);

/** A modal dialog. The browser keeps the keyboard inside, and gives the focus back to where it was. */
export function Dialog({ title, children, onClose, footer, isWide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const Atop = useContext(AtopDialogs);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${isWide ? 'wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        <Atop />
        <div class="dialog-body">{children}</div>
        {footer !== undefined && <footer class="dialog-foot">{footer}</footer>}
      </div>
    </dialog>
  );
}
