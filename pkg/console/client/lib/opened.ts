import { me, namespace } from './session.js';

/** A folder or a dashboard that the person looked at, or that others have changed. Its title may be another one now. */
export interface Mark {
  readonly kind: 'folders' | 'dashboards';
  readonly name: string;
}

/** The most that is kept, for each person and organization of this browser. */
const MOST = 12;

/** A list of names that this browser keeps for the caller, in the organization that is shown. */
function listNamed(list: 'opened' | 'changed') {
  const key = (): string => `console.${list}.${me.peek()?.username ?? ''}.${namespace.peek()}`;
  const read = (): readonly Mark[] => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(key()) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isMark).slice(0, MOST) : [];
    } catch {
      return [];
    }
  };
  /** The newest come first. */
  const add = (marks: readonly Mark[]): void => {
    const others = read().filter((old) => !marks.some(({ kind, name }) => kind === old.kind && name === old.name));
    try {
      localStorage.setItem(key(), JSON.stringify([...marks, ...others].slice(0, MOST)));
    } catch {
      // Without room, nothing is kept.
    }
  };
  return { read, add };
}

function isMark(value: unknown): value is Mark {
  const { kind, name } = (value ?? {}) as Partial<Mark>;
  return (kind === 'folders' || kind === 'dashboards') && typeof name === 'string' && name !== '';
}

export const opened = listNamed('opened');
export const changedByOthers = listNamed('changed');
