import { useMay } from '../../../lib/use-may.js';
import { Author } from '../../../ui/author.js';
import { Button } from '../../../ui/button.js';
import { Time } from '../../../ui/time.js';
import type { Place, Version } from './versions.js';

interface Props {
  readonly place: Place;
  readonly versions: readonly Version[];
  readonly from: number;
  readonly to: number;
  readonly onChoice: (from: number, to: number) => void;
  readonly onRestore: (version: Version) => void;
  readonly more: (() => Promise<void>) | undefined;
}

/** The versions with their authors, the newest first. Two of them are chosen for the comparison. */
export function VersionList({ place, versions, from, to, onChoice, onRestore, more }: Props) {
  const { resource, namespace, name } = place;
  const { unavailable } = useMay('create', resource, { namespace, name, subresource: 'restore' });
  const isDeleted = versions[0]?.isCurrent === false;
  const whyNot = (index: number): string | undefined => {
    if (!isDeleted) return unavailable;
    return index === 0 ? undefined : 'The object is deleted, so only its last version can come back.';
  };
  return (
    <section class="versions" aria-label="Versions">
      <div class="versions-head" aria-hidden="true">
        <span>From</span>
        <span>To</span>
      </div>
      <ol class="versions-list list-box">
        {versions.map((version, index) => (
          <li key={version.version} class={version.version === from || version.version === to ? 'chosen' : ''}>
            <Pick name="from" version={version} value={from} onValue={(one) => onChoice(one, to)} />
            <Pick name="to" version={version} value={to} onValue={(one) => onChoice(from, one)} />
            <About place={place} version={version} />
            {!version.isCurrent && (
              <Button
                look="quiet"
                aria-label={`Restore version ${version.version}`}
                unavailable={whyNot(index)}
                onPress={() => onRestore(version)}
              >
                Restore…
              </Button>
            )}
          </li>
        ))}
      </ol>
      {more !== undefined && <Button onPress={more}>Show older versions</Button>}
    </section>
  );
}

interface PickProps {
  readonly name: 'from' | 'to';
  readonly version: Version;
  readonly value: number;
  readonly onValue: (version: number) => void;
}

function Pick({ name, version: { version }, value, onValue }: PickProps) {
  return (
    <label class="versions-pick">
      <input
        type="radio"
        name={`compare-${name}`}
        aria-label={`Compare ${name} version ${version}`}
        checked={version === value}
        onChange={() => onValue(version)}
      />
    </label>
  );
}

function About({ place, version: one }: { readonly place: Place; readonly version: Version }) {
  const { version, author, time, message, isCurrent, deleted } = one;
  return (
    <div class="versions-about">
      <div class="row">
        <strong>Version {version}</strong>
        {isCurrent && <span class="chip ok">Current</span>}
        {deleted !== undefined && <span class="chip danger">Deleted</span>}
      </div>
      <div class="muted">
        <Author by={author} in={{ ...place, version }} />, <Time at={time} />
      </div>
      {deleted !== undefined && (
        <div class="muted">
          Deleted by <Author by={deleted.by} in={{ ...place, version }} />, <Time at={deleted.at} />
        </div>
      )}
      {message !== undefined && <Message text={message} />}
    </div>
  );
}

/** Longer messages are folded. In characters. */
const LONGEST_MESSAGE = 140;

function Message({ text }: { readonly text: string }) {
  if (text.length <= LONGEST_MESSAGE)
    return (
      <p class="versions-message" dir="auto">
        {text}
      </p>
    );
  return (
    <details class="versions-long">
      <summary dir="auto">{text.slice(0, LONGEST_MESSAGE)}…</summary>
      <p class="versions-message" dir="auto">
        {text}
      </p>
    </details>
  );
}
