import type { DefinitionHistory, Gadget, State, Write } from './history.js';

const ABSENT: State = { revision: 0, began: 0, shape: undefined, isTerminating: false };

/** Compares what clients saw with the states of the definition. */
export function checkDefinitions(history: DefinitionHistory): void {
  for (const write of history.writes) {
    if (write.status < 300) checkAccepted(history, write);
    else checkRefused(history, write);
  }
  checkIncarnations(history);
}

/** The state on which a write at this revision was committed. */
function stateBefore({ states }: DefinitionHistory, revision: number): State {
  return states.findLast((state) => state.revision < revision) ?? ABSENT;
}

/** The states that a refusal may be about. */
function statesDuring({ states }: DefinitionHistory, { low, end }: Write): readonly State[] {
  const first = states.findLastIndex((state) => state.revision <= low);
  const later = states.slice(first + 1).filter(({ began }) => began < end);
  return [states[first] ?? ABSENT, ...later];
}

/** An acknowledged write fits the definition in the state on which it was committed. */
function checkAccepted(history: DefinitionHistory, write: Write): void {
  const { verb, version, level, size, isExtra, low, text } = write;
  if (verb === 'delete') return;
  const object = JSON.parse(text) as Gadget;
  const revision = Number(object.metadata.resourceVersion);
  if (revision <= low) return;
  const { shape, isTerminating } = stateBefore(history, revision);
  const where = `${verb} of ${object.metadata.name} at ${revision}`;
  const wrong = (message: string): void => history.complain('the definition of the commit', `${where}: ${message}`);
  if (shape === undefined) {
    wrong('there is no definition');
    return;
  }
  if (verb === 'create' && isTerminating) wrong('the definition is being deleted');
  if (!shape.served.includes(version)) wrong(`${version} is not served`);
  if (level !== undefined && level > shape.most) wrong(`the level ${level} is above ${shape.most}`);
  if (!shape.hasExtra && object.spec.extra !== undefined) wrong('it has a field that the schema does not have');
  if (shape.hasExtra && isExtra === true && object.spec.extra === undefined) wrong('it lost a field of the schema');
  if (shape.size !== undefined && object.spec.size === undefined) wrong('it has no default');
  if (isExtra !== undefined && size === undefined && object.spec.size !== shape.size)
    wrong(`its size is ${object.spec.size}, and the default ${shape.size}`);
}

/** The refusal of a patch of an object that was stored in another version. */
const OLD_VERSION = 'does not match the expected API version';

/** The reason of a refusal was true in some state of the definition between begin and end. */
function checkRefused(history: DefinitionHistory, write: Write): void {
  const { verb, version, status, level = 0, text, name } = write;
  const states = statesDuring(history, write);
  const isTrue = (): boolean => {
    if (status === 422) return states.some(({ shape }) => shape !== undefined && level > shape.most);
    if (status === 403) return states.some(({ isTerminating }) => isTerminating);
    if (status === 400) return text.includes(OLD_VERSION);
    if (status === 409) return true;
    if (status !== 404) return false;
    if (text.includes(`"name":"${name}"`)) return verb !== 'create';
    return states.some(({ shape }) => shape === undefined || !shape.served.includes(version));
  };
  if (isTrue()) return;
  history.complain('refusals are true', `${verb} of ${name} in ${version} was refused, after ${write.low}: ${text}`);
}

/** Objects that were made before a definition was deleted are never seen after that. */
function checkIncarnations(history: DefinitionHistory): void {
  const { writes, sights, states } = history;
  const complain = (message: string): void => history.complain('objects go with their definition', message);
  const made = new Map<string, number>();
  for (const { verb, status, text } of writes) {
    if (verb !== 'create' || status !== 201) continue;
    const { metadata } = JSON.parse(text) as Gadget;
    made.set(metadata.uid, Number(metadata.resourceVersion));
  }
  for (const { where, revision, items } of sights) {
    const gone = states.findLast((state) => state.shape === undefined && state.revision <= revision)?.revision ?? 0;
    for (const { metadata } of items) {
      const at = made.get(metadata.uid);
      if (at !== undefined && at < gone)
        complain(`${where} at ${revision} shows ${metadata.name}, made at ${at}, but the definition went at ${gone}`);
    }
  }
}
