import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { resourceNamed } from '../../lib/discovery.js';
import { Fact } from '../../ui/card.js';
import { FolderTitle } from '../folders/folder-title.js';
import { type Mirror, type MirrorSpec, pluralOf } from './mirrors.js';

/** What a mirror takes, and what it does there, in words. */
export function Taken({ mirror: { metadata, spec = {} } }: { readonly mirror: Mirror }) {
  const { address, organization, credential, existing, permissions, kinds } = spec;
  const { namespace = '' } = metadata;
  return (
    <dl class="facts">
      <Fact name="Address">{address}</Fact>
      {organization !== undefined && <Fact name="Organization there">{organization}</Fact>}
      <Fact name="Credential">
        <Secret namespace={namespace} name={credential?.secret ?? ''} />
      </Fact>
      <Fact name="Folders">
        <Folders namespace={namespace} folders={spec.folders} />
      </Fact>
      <Fact name="With">{kinds === undefined ? 'everything that lies in them' : kinds.map(pluralOf).join(', ')}</Fact>
      <Fact name="Permissions">
        {permissions === false
          ? 'stay here. What is private here is for administrators only there.'
          : 'go along, to whoever has the same name or login there.'}
      </Fact>
      <Fact name="Teams">{teamWords(spec)}</Fact>
      <Fact name="Preferences">
        {spec.preferences === true ? 'of the organization and of teams go along.' : 'stay here.'}
      </Fact>
      <Fact name="What is there already">
        {existing === 'Adopt' ? 'is replaced, and kept as it is here.' : 'is left alone, with what lies in it.'}
      </Fact>
      <Fact name="What is gone here">{deletionWords(spec)}</Fact>
      <Fact name="What is changed there">{checkWords(spec)}</Fact>
      <Fact name="Where it comes from">{provenanceWords(spec, namespace)}</Fact>
    </dl>
  );
}

function Secret({ namespace, name }: { readonly namespace: string; readonly name: string }) {
  const secrets = resourceNamed('', 'secrets');
  if (secrets === undefined) return <>{name}</>;
  return <Link href={places.object(secrets, namespace, name)}>Secret {name}</Link>;
}

interface FoldersProps {
  readonly namespace: string;
  readonly folders: MirrorSpec['folders'];
}

function Folders({ namespace, folders }: FoldersProps) {
  if (folders === undefined) return <>all of the organization, and what lies in none</>;
  const { names = [], labels } = folders;
  return (
    <ul class="mirrors-plain">
      {names.map((name) => (
        <li key={name}>
          <FolderTitle namespace={namespace} name={name} />
        </li>
      ))}
      {labels !== undefined && (
        <li>
          those with the labels <code>{labels}</code>
        </li>
      )}
      <li class="muted">and all folders below them</li>
    </ul>
  );
}

function teamWords({ teams, folders }: MirrorSpec): string {
  if (teams !== true) return 'stay here.';
  const which = folders === undefined ? '' : 'that have a permission on one of these folders ';
  return `${which}go along, with their members.`;
}

function deletionWords({ delete: isDeleted, maxDeletions }: MirrorSpec): string {
  if (isDeleted !== true) return 'stays there.';
  const most = maxDeletions === undefined ? 'half of what was sent' : `${maxDeletions.toLocaleString()} objects`;
  return `is deleted there, but not more than ${most} at once.`;
}

function checkWords({ check }: MirrorSpec): string {
  if (check === undefined) return 'is found when it changes here, too.';
  const found = `is looked for every ${check.interval ?? '1h'}, and `;
  return `${found}${check.drift === 'Report' ? 'only reported.' : 'put back.'}`;
}

function provenanceWords({ provenance = {} }: MirrorSpec, namespace: string): string {
  const { message, tag } = provenance;
  const version = `Versions of dashboards say “${message ?? `Mirrored from ${namespace} at …`}”.`;
  return tag === undefined ? version : `${version} Dashboards have the tag “${tag}”.`;
}
