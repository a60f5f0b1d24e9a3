import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { CheckField, SelectField, TextField } from '../../ui/field.js';
import { type ErrorAt, FormDialog } from '../../ui/form-dialog.js';
import { MirrorConnection } from './connection.js';
import { type Draft, nameFrom } from './draft.js';
import { FoldersField, SecretField } from './fields.js';

interface Props {
  readonly title: string;
  readonly action: string;
  readonly namespace: string;
  readonly initial: Draft;
  readonly isNew: boolean;
  /** Where the same is YAML. */
  readonly yaml: string;
  readonly onSave: (draft: Draft) => Promise<void>;
  readonly onClose: () => void;
}

/** The fields, by what the server says of them. Of two that match, the first has the error. */
const FIELDS = {
  name: /^metadata\./,
  address: /^spec\.address/,
  organization: /^spec\.organization/,
  token: /^spec\.credential\.token/,
  secret: /^spec\.credential/,
  labels: /^spec\.folders\.labels/,
  folders: /^spec\.folders/,
  kinds: /^spec\.kinds/,
  maxDeletions: /^spec\.maxDeletions/,
  interval: /^spec\.check/,
} as const;

interface PartProps {
  readonly draft: Draft;
  readonly edit: (part: Partial<Draft>) => void;
  readonly errorAt: ErrorAt;
  readonly namespace: string;
}

/** Everything of a mirror that most people need, in words. */
export function MirrorForm({ title, action, namespace, initial, isNew, yaml, onSave, onClose }: Props) {
  const draft = useSignal(initial);
  const edit = (part: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...part };
  };
  return (
    <FormDialog
      title={title}
      action={action}
      isWide
      onSubmit={() => onSave(draft.value)}
      onClose={onClose}
      fields={FIELDS}
    >
      {(errorAt) => {
        const part = { draft: draft.value, edit, errorAt, namespace };
        return (
          <>
            <p class="muted">
              A mirror keeps folders on another server as they are here.
              {draft.value === initial && (
                <>
                  {' '}
                  All of it can also be written as <Link href={yaml}>YAML</Link>.
                </>
              )}
            </p>
            <Where {...part} isNew={isNew} />
            <div class="mirrors-columns">
              <What {...part} />
              <There {...part} />
            </div>
          </>
        );
      }}
    </FormDialog>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <fieldset class="mirrors-part stack">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

const SOURCES = [
  ['token', 'A token that I paste'],
  ['secret', 'A Secret that is here already'],
] as const;

function Where({ draft, edit, errorAt, namespace, isNew }: PartProps & { readonly isNew: boolean }) {
  const type = (address: string): void => {
    const isOwn = draft.name !== nameFrom(draft.address);
    edit({ address, ...(isNew && !isOwn && { name: nameFrom(address) }) });
  };
  return (
    <Part title="The other server">
      <div class="mirrors-columns">
        <TextField
          label="Address"
          hint="Such as https://dashboards.example.org. It may have a path."
          value={draft.address}
          onValue={type}
          error={errorAt('address')}
          autocomplete="off"
        />
        {isNew && (
          <TextField
            label="Name of the mirror"
            hint="Small letters, digits and hyphens. It cannot be changed later."
            value={draft.name}
            onValue={(name) => edit({ name })}
            error={errorAt('name')}
            autocomplete="off"
          />
        )}
        <SelectField
          label="Credential"
          hint="Of a service account there that has the role Admin."
          value={draft.credential}
          options={SOURCES}
          onValue={(credential) => edit({ credential: credential === 'token' ? 'token' : 'secret' })}
        />
        {draft.credential === 'token' ? (
          <TextField
            label="Token"
            hint="It is kept in a new Secret, and is not shown again."
            type="password"
            value={draft.token}
            onValue={(token) => edit({ token })}
            error={errorAt('token') ?? errorAt('secret')}
            autocomplete="off"
          />
        ) : (
          <SecretField
            namespace={namespace}
            value={draft.secret}
            onValue={(secret) => edit({ secret })}
            error={errorAt('secret')}
          />
        )}
        <TextField
          label="Number of the organization there"
          hint="Can be left empty: then it is the one that the credential belongs to."
          value={draft.organization}
          onValue={(organization) => edit({ organization })}
          error={errorAt('organization')}
          autocomplete="off"
        />
      </div>
      <MirrorConnection draft={draft} namespace={namespace} />
    </Part>
  );
}

const RANGES = [
  ['all', 'All folders, and what lies in none'],
  ['chosen', 'Only some folders'],
] as const;

function What({ draft, edit, errorAt, namespace }: PartProps) {
  return (
    <Part title="What it takes">
      <SelectField
        label="From where"
        value={draft.range}
        options={RANGES}
        onValue={(range) => edit({ range: range === 'all' ? 'all' : 'chosen' })}
        error={draft.range === 'all' ? errorAt('folders') : undefined}
      />
      {draft.range === 'chosen' && (
        <>
          <FoldersField
            namespace={namespace}
            value={draft.folders}
            onValue={(folders) => edit({ folders })}
            error={errorAt('folders')}
          />
          <TextField
            label="Or folders with labels"
            hint="Such as site=north. Folders that get the label later go along, too."
            value={draft.labels}
            onValue={(labels) => edit({ labels })}
            error={errorAt('labels')}
            autocomplete="off"
          />
        </>
      )}
      <CheckField label="Dashboards" checked={draft.dashboards} onChecked={(dashboards) => edit({ dashboards })} />
      <CheckField label="Library elements" checked={draft.elements} onChecked={(elements) => edit({ elements })} />
      {errorAt('kinds') !== undefined && (
        <p class="field-error" role="alert">
          Choose at least one of these.
        </p>
      )}
      <CheckField
        label="Permissions"
        hint="For whoever has the same name or login there. Without them, what is private here is for administrators only there."
        checked={draft.permissions}
        onChecked={(permissions) => edit({ permissions })}
      />
      <CheckField
        label="Teams, with their members"
        hint={draft.range === 'all' ? 'All of them.' : 'Those that have a permission on one of the folders.'}
        checked={draft.teams}
        onChecked={(teams) => edit({ teams })}
      />
      <CheckField
        label="Preferences"
        hint="Of the organization and of its teams, with their home dashboards."
        checked={draft.preferences}
        onChecked={(preferences) => edit({ preferences })}
      />
    </Part>
  );
}

const EXISTING = [
  ['Keep', 'Is left alone, with what lies in it'],
  ['Adopt', 'Is replaced, and kept as it is here'],
] as const;
const DRIFT = [
  ['No', 'Is found when it changes here, too'],
  ['PutBack', 'Is looked for, and put back'],
  ['Report', 'Is looked for, and only reported'],
] as const;

function There({ draft, edit, errorAt }: PartProps) {
  return (
    <Part title="What happens there">
      <SelectField
        label="What is there already"
        value={draft.existing}
        options={EXISTING}
        onValue={(existing) => edit({ existing: existing === 'Adopt' ? 'Adopt' : 'Keep' })}
      />
      <CheckField
        label="Delete there what is gone here"
        hint="Only what the mirror has created. Without this, it stays there."
        checked={draft.delete}
        onChecked={(isDeleted) => edit({ delete: isDeleted })}
      />
      {draft.delete && (
        <TextField
          label="Most objects to delete at once"
          hint="Can be left empty: then the mirror stops before it deletes more than half."
          value={draft.maxDeletions}
          onValue={(maxDeletions) => edit({ maxDeletions })}
          error={errorAt('maxDeletions')}
          autocomplete="off"
        />
      )}
      <SelectField
        label="What somebody changes there"
        value={draft.drift}
        options={DRIFT}
        onValue={(drift) => edit({ drift: DRIFT.find(([one]) => one === drift)?.[0] ?? 'No' })}
      />
      {draft.drift !== 'No' && (
        <TextField
          label="How often it is looked for"
          hint="Such as 30m or 1h, and at least 10s. Each time, everything that was sent is read there."
          value={draft.interval}
          onValue={(interval) => edit({ interval })}
          error={errorAt('interval')}
          autocomplete="off"
        />
      )}
    </Part>
  );
}
