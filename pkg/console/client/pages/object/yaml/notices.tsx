import type { ComponentChildren } from 'preact';
import { Button } from '../../../ui/button.js';
import { Notice } from '../../../ui/states.js';
import { Time } from '../../../ui/time.js';
import { Changer } from './changer.js';
import type { Editing } from './editing.js';

/** Messages about the text. Screen readers read new ones aloud. */
export function Notices({ editing, readOnly }: { readonly editing: Editing; readonly readOnly: string | undefined }) {
  const { draft, draftShown, failure, others, taken, waiting, isDeleted, isDraftKept, text } = editing;
  return (
    <div class="stack tight">
      {readOnly !== undefined && <Notice>Read only: {readOnly}</Notice>}
      {text.isLarge.value && (
        <Notice>
          The text is large, so it is checked only when it is saved, and has no colours, proposals and descriptions.
        </Notice>
      )}
      {draft.value !== undefined && (
        <Told
          actions={
            <>
              <Button look="primary" onPress={() => editing.useDraft()}>
                Go on with it
              </Button>
              <Button onPress={() => editing.dropDraft()}>Throw it away</Button>
            </>
          }
        >
          This is what is stored. What you typed <Time at={draft.value.at} /> was not saved, and is still there.
        </Told>
      )}
      {draftShown.value !== undefined && (
        <Told actions={<Button onPress={() => editing.showStored()}>Show what is stored</Button>}>
          This is what you typed here <Time at={draftShown.value} />. It was not saved.
        </Told>
      )}
      {isDeleted.value && (
        <Told>Somebody has deleted this object. The text is still here. To save it creates the object again.</Told>
      )}
      {waiting.value !== undefined && (
        <Told>Others have changed the object. Their changes come into your text as soon as its syntax is right.</Told>
      )}
      {taken.value.length > 0 && (
        <Told>
          <Changer change={others.value} /> changed the object. These changes are in your text now:{' '}
          <span class="mono">{taken.value.slice(0, 20).join(', ')}</span>
          {taken.value.length > 20 && ` and ${taken.value.length - 20} more`}
        </Told>
      )}
      {!isDraftKept.value && (
        <Told>The browser has no room to keep this text for you. If you close the page, it is lost.</Told>
      )}
      {failure.value !== undefined && (
        <div class="notice danger" role="alert">
          <p dir="auto">{failure.value}</p>
        </div>
      )}
    </div>
  );
}

function Told({ children, actions }: { readonly children: ComponentChildren; readonly actions?: ComponentChildren }) {
  return (
    <Notice look="warn">
      <p class="grow">{children}</p>
      {actions}
    </Notice>
  );
}
