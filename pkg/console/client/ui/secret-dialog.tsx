import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from './button.js';
import { confirm } from './confirm.js';
import { copy } from './copy.js';
import { Dialog } from './dialog.js';

interface Props {
  readonly title: string;
  /** What is shown, such as `The token`. */
  readonly what: string;
  readonly secret: string;
  /** What is said when the secret is copied. */
  readonly copied: string;
  /** The text of the button of somebody who has it. */
  readonly done: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** Shows a secret that nobody can see again. It asks before the dialog is closed by anything but its buttons. */
export function SecretDialog({ title, what, secret, copied, done, children, onClose }: Props) {
  const isCopied = useSignal(false);
  const leave = async (): Promise<void> => {
    const text = `${what} was not copied, and is not shown again.`;
    if (
      isCopied.peek() ||
      (await confirm({ title: 'Close without copying?', text, action: 'Close it', isDangerous: true }))
    )
      onClose();
  };
  return (
    <Dialog
      title={title}
      onClose={() => void leave()}
      footer={
        <>
          <Button onPress={onClose}>{done}</Button>
          <Button
            look="primary"
            autofocus
            onPress={async () => {
              await copy(secret, copied);
              isCopied.value = true;
            }}
          >
            Copy
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
