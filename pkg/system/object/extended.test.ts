import { setFlagsFromString } from 'node:v8';
import { expect } from 'chai';
import { extended } from './extended.js';

interface Named {
  readonly name: string;
  readonly kind: string;
}

/** Whether V8 keeps two objects in one hidden class. */
function classesAreOne(a: object, b: object): boolean {
  setFlagsFromString('--allow-natives-syntax');
  try {
    return new Function('a', 'b', 'return %HaveSameMap(a, b)')(a, b) as boolean;
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

const named = (name: string): Named => ({ name, kind: 'Folder' });

describe('extended', () => {
  it('has the members of both, and those of the second win', () => {
    expect(extended(named('a'), { kind: 'Team', uid: '1' })).to.deep.equal({ name: 'a', kind: 'Team', uid: '1' });
    expect(extended(undefined, { uid: '1' })).to.deep.equal({ uid: '1' });
  });

  it('changes neither of them', () => {
    const [object, more] = [Object.freeze(named('a')), Object.freeze({ uid: '1' })];
    expect(extended(object, more)).not.to.equal(object);
  });

  it('copies a member __proto__ as a member', () => {
    const sent = JSON.parse('{"__proto__": {"isAdmin": true}}');
    const copy = extended({}, sent);
    expect(Object.hasOwn(copy, '__proto__')).to.equal(true);
    expect(Object.getPrototypeOf(copy)).to.equal(Object.prototype);
  });

  it('makes one hidden class for all that are extended alike', () => {
    const [a, b] = ['a', 'b'].map((name) => extended(named(name), { uid: name, labels: {} }));
    expect(classesAreOne(a ?? {}, b ?? {})).to.equal(true);
    expect(classesAreOne(a ?? {}, named('a'))).to.equal(false);
  });
});
