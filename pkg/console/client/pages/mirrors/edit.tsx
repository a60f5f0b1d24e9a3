import { useSignal } from '@preact/signals';
import { useLocation } from 'wouter-preact';
import { places } from '../../app/places.js';
import type { Resource } from '../../lib/discovery.js';
import { namespace } from '../../lib/session.js';
import { useMay } from '../../lib/use-may.js';
import { Button } from '../../ui/button.js';
import { tell } from '../../ui/toasts.js';
import { ObjectActions } from '../object/actions.js';
import type { ActionsProps } from '../object/props.js';
import { draftOf } from './draft.js';
import { MirrorForm } from './form.js';
import { save } from './save.js';
import './style.css';

/** The form of a new mirror. Then its page is shown. */
export function NewMirror({ resource, onClose }: { readonly resource: Resource; readonly onClose: () => void }) {
  const [, go] = useLocation();
  const where = namespace.value;
  return (
    <MirrorForm
      title="New mirror"
      action="Create mirror"
      namespace={where}
      initial={draftOf({ metadata: { name: '' } })}
      isNew
      yaml={places.create(resource)}
      onSave={async (draft) => {
        await save({ resource, namespace: where }, draft);
        tell('The mirror was created. It begins to send at once.');
        go(places.object(resource, where, draft.name.trim()));
      }}
      onClose={onClose}
    />
  );
}

/** The actions on a mirror. */
export function MirrorActions({ place, object, isThere }: ActionsProps) {
  const { resource, namespace: where, name } = place;
  const isOpen = useSignal(false);
  const { unavailable } = useMay('update', resource, { namespace: where, name });
  return (
    <div class="row">
      {isThere && (
        <Button unavailable={unavailable} onPress={() => (isOpen.value = true)}>
          Edit…
        </Button>
      )}
      <ObjectActions place={place} object={object} isThere={isThere} />
      {isOpen.value && object !== undefined && (
        <MirrorForm
          title={`Edit mirror ${name}`}
          action="Save"
          namespace={where}
          initial={draftOf(object)}
          isNew={false}
          yaml={places.object(resource, where, name, 'yaml')}
          onSave={async (draft) => {
            await save({ resource, namespace: where, before: object }, draft);
            tell('The mirror was saved.');
          }}
          onClose={() => (isOpen.value = false)}
        />
      )}
    </div>
  );
}
