import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { mountDifference } from '../../../editor/difference.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Notice } from '../../../ui/states.js';
import { WhyField } from '../../../ui/why-field.js';
import type { Editing } from './editing.js';
import type { Proposal } from './proposal.js';

/** The least width for two texts side by side, in pixels. */
const WIDE = 900;
const LABELS = { before: 'As it is stored', after: 'As it would be stored' };

/** Shows the stored object and the one that would be stored, before it is saved. */
export function Difference({ editing, proposal }: { readonly editing: Editing; readonly proposal: Proposal }) {
  const host = useRef<HTMLDivElement>(null);
  const { before, after, warnings, isUnchanged, obstacle, isRenewed } = proposal;
  const message = useSignal(proposal.message);
  const isCreated = before === '';
  const isSideBySide = window.innerWidth >= WIDE && !isCreated;
  useEffect(() => {
    if (host.current === null) return;
    return mountDifference(host.current, { before, after, labels: LABELS, isSideBySide });
  }, [before, after, isSideBySide]);
  const close = (): void => {
    editing.proposal.value = undefined;
  };
  const nothing = isUnchanged ? 'Nothing would change.' : undefined;
  const type = (text: string): void => {
    message.value = text;
    editing.reason = text;
  };
  return (
    <Dialog
      title={isCreated ? 'What will be created' : 'What will change'}
      isWide
      onClose={close}
      footer={
        <>
          <Button onPress={close}>Back to the text</Button>
          <Button
            look="primary"
            unavailable={obstacle ?? nothing}
            autofocus={!editing.hasHistory}
            onPress={() => editing.save(message.value)}
          >
            {isCreated ? 'Create' : 'Save'}
          </Button>
        </>
      }
    >
      {(obstacle !== undefined || isRenewed === true) && (
        <Notice look="warn">
          <p>{obstacle ?? 'Others have changed the object meanwhile. This is what would be stored now.'}</p>
        </Notice>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} look="warn">
          <p dir="auto">{warning}</p>
        </Notice>
      ))}
      {nothing !== undefined && <Notice>{nothing} Comments and the order of fields are not stored.</Notice>}
      {editing.hasHistory && nothing === undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (obstacle === undefined) void editing.save(message.value);
          }}
        >
          <WhyField value={message.value} onValue={type} isNew={isCreated} autofocus />
        </form>
      )}
      {isSideBySide && (
        <div class="yaml-difference-heads" aria-hidden="true">
          <span>{LABELS.before}</span>
          <span>{LABELS.after}</span>
        </div>
      )}
      <div class="yaml-difference" ref={host} />
    </Dialog>
  );
}
