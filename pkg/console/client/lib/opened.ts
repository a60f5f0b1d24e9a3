import { me } from './session.js';

/** A folder or a dashboard that the person looked at. Its title may be another one now. */
export interface Mark {
  readonly kind: 'folders' | 'dashboards';
  readonly name: string;
}

/** The most that is kept, for each person and organization of this browser. */
const MOST = 12;

/** A list of names that this browser keeps for the caller, for each organization. */
function listNamed(list: 'opened' | 'changed') {
  const keyOf = (namespace: string): string => `console.${list}.${me.peek()?.username ?? ''}.${namespace}`;
  const read = (namespace: string): readonly Mark[] => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(keyOf(namespace)) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isMark).slice(0, MOST) : [];
    } catch {
      return [];
    }
  };
  /** The newest come first. */
  const add = (namespace: string, marks: readonly Mark[]): void => {
    const isNew = (old: Mark): boolean => !marks.some(({ kind, name }) => kind === old.kind && name === old.name);
    const others = read(namespace).filter(isNew);
    try {
      localStorage.setItem(keyOf(namespace), JSON.stringify([...marks, ...others].slice(0, MOST)));
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
