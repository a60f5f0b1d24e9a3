import { type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Button } from '../../../ui/button.js';
import { TextArea, TextField } from '../../../ui/field.js';
import { type ErrorAt, FormDialog } from '../../../ui/form-dialog.js';
import { tell } from '../../../ui/toasts.js';
import { proposeWrite } from '../../folders/access/propose-write.js';
import { here } from '../here.js';
import { createRole, type Permission, type Role, replacement, suggestions } from './kinds.js';
import { ScopeField } from './scope.js';

interface Props {
  /** Undefined for a new one. */
  readonly role?: Role;
  /** The roles whose actions are suggested. */
  readonly roles: readonly Role[];
  readonly onClose: () => void;
  readonly onDone: (name: string) => void;
}

/** Creates a custom role, or changes one. */
export function EditRole({ role, roles, onClose, onDone }: Props) {
  const before = role?.spec;
  const title = useSignal(before?.title ?? '');
  const description = useSignal(before?.description ?? '');
  const group = useSignal(before?.group ?? '');
  const permissions = useSignal<readonly Permission[]>(before?.permissions ?? [{ action: '', scope: '' }]);
  const save = async (): Promise<unknown> => {
    const { title: _, description: __, group: ___, ...rest } = before ?? { permissions: [] };
    const spec = {
      ...rest,
      ...(title.value !== '' && { title: title.value }),
      ...(description.value !== '' && { description: description.value }),
      ...(group.value !== '' && { group: group.value }),
      permissions: permissions.value,
    };
    if (role === undefined) {
      const { name, warnings } = await createRole(spec);
      tell(['The role was created. Give it to somebody.', ...warnings].join(' '));
      return onDone(name);
    }
    const { name } = role.metadata;
    const written = replacement(role, spec);
    const words = { title: 'Save the role?', action: 'Save the role', done: 'The role was saved.' };
    return proposeWrite({ ...written, ...words, where: here(), isQuiet: true, onDone: () => onDone(name) });
  };
  const rows = permissions.value.flatMap((_, index) => [
    [`${index}.action`, new RegExp(`^spec\\.permissions\\[${index}\\]\\.action`)] as const,
    [`${index}.scope`, new RegExp(`^spec\\.permissions\\[${index}\\]`)] as const,
  ]);
  return (
    <FormDialog
      title={role === undefined ? 'New role' : 'Edit role'}
      action={role === undefined ? 'Create role' : 'Save'}
      onSubmit={save}
      onClose={onClose}
      isWide
      fields={{
        title: /^spec\.title/,
        description: /^spec\.description/,
        group: /^spec\.group/,
        ...Object.fromEntries(rows),
      }}
    >
      {(errorAt) => (
        <>
          <TextField
            label="Title"
            value={title.value}
            onValue={(text) => (title.value = text)}
            error={errorAt('title')}
          />
          <TextField
            label="Group"
            hint="Under which heading people find it. Can be left empty."
            value={group.value}
            onValue={(text) => (group.value = text)}
            error={errorAt('group')}
          />
          <TextArea
            label="What it is for"
            rows={2}
            value={description.value}
            onValue={(text) => (description.value = text)}
            error={errorAt('description')}
          />
          <PermissionRows permissions={permissions} errorAt={errorAt} roles={roles} />
        </>
      )}
    </FormDialog>
  );
}

interface RowsProps {
  readonly permissions: Signal<readonly Permission[]>;
  readonly errorAt: ErrorAt;
  readonly roles: readonly Role[];
}

function PermissionRows({ permissions, errorAt, roles }: RowsProps) {
  const id = useId();
  const { actions, scopes } = suggestions(roles);
  const change = (at: number, part: Partial<Permission>): void => {
    permissions.value = permissions.value.map((one, index) => (index === at ? { ...one, ...part } : one));
  };
  return (
    <fieldset class="people-fields stack tight">
      <legend>Permissions</legend>
      {permissions.value.map(({ action, scope }, index) => (
        <div key={index} class="people-permission">
          <TextField
            label={`Action ${index + 1}`}
            isLabelHidden
            placeholder="folders:read"
            list={`${id}-actions`}
            value={action}
            onValue={(text) => change(index, { action: text })}
            error={errorAt(`${index}.action`)}
          />
          <ScopeField
            number={index + 1}
            scope={scope}
            onScope={(text) => change(index, { scope: text })}
            error={errorAt(`${index}.scope`)}
            list={`${id}-scopes`}
          />
          <Button
            look="quiet"
            aria-label={`Remove action ${index + 1}`}
            onPress={() => {
              permissions.value = permissions.value.filter((_, at) => at !== index);
            }}
          >
            ✕
          </Button>
        </div>
      ))}
      <div>
        <Button
          onPress={() => {
            permissions.value = [...permissions.value, { action: '', scope: '' }];
          }}
        >
          Add a permission
        </Button>
      </div>
      <Suggestions id={`${id}-actions`} values={actions} />
      <Suggestions id={`${id}-scopes`} values={scopes} />
    </fieldset>
  );
}

function Suggestions({ id, values }: { readonly id: string; readonly values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
