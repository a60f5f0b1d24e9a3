/** Somebody or something that has permissions here. */
export interface Subject {
  readonly kind: 'User' | 'Team' | 'ServiceAccount' | 'BasicRole';
  readonly name: string;
}

/** How the source names people and teams. Absent and zero values name nobody. */
export interface Reference {
  readonly id?: number | undefined;
  readonly uid?: string | undefined;
  readonly login?: string | undefined;
}

/** Finds subjects by what the source calls them. */
export class People {
  readonly #found = new Map<string, Subject>();

  add(reference: Reference, subject: Subject): void {
    for (const key of keysOf(reference)) this.#found.set(key, subject);
  }

  find(reference: Reference): Subject | undefined {
    for (const key of keysOf(reference)) {
      const subject = this.#found.get(key);
      if (subject !== undefined) return subject;
    }
    return undefined;
  }

  /** The author of a change, as annotations name it. */
  authorOf(login: string | undefined): string | undefined {
    const subject = this.find({ login });
    if (subject === undefined) return undefined;
    return `${subject.kind === 'User' ? 'user' : 'service-account'}:${subject.name}`;
  }

  /** The same people, to which those of one organization can be added. */
  copy(): People {
    const copy = new People();
    for (const [key, subject] of this.#found) copy.#found.set(key, subject);
    return copy;
  }
}

function keysOf({ uid, id, login }: Reference): readonly string[] {
  return [
    ...(uid ? [`uid ${uid}`] : []),
    ...(id ? [`id ${id}`] : []),
    ...(login ? [`login ${login.toLowerCase()}`] : []),
  ];
}
