// Collects the objects and groups of an OBJ file as parts. A part is created with its first face, so objects
// and groups without faces allocate nothing.

import { type GrowingList, growingIndices } from './growingList.js';
import { type MemoryBudget, PART_BYTES } from './memoryBudget.js';

type IndexList = GrowingList<Uint32Array>;

/** The parts of a file, in the order of their first faces. */
export class ObjParts {
  /** `names` and `lists` have one entry for each part. */
  readonly names: string[] = [];
  readonly lists: IndexList[] = [];
  private object = '';
  private group = '';
  /** Index lists of the current object, by group. */
  private listOfGroup = new Map<string, IndexList>();
  private currentList: IndexList | undefined;

  constructor(
    private readonly fileName: string,
    private readonly budget: MemoryBudget,
  ) {}

  /** Begins a new object, even if an earlier object has the same name. */
  beginObject(name: string): void {
    this.object = name;
    if (this.listOfGroup.size > 0) this.listOfGroup = new Map();
    this.beginGroup('');
  }

  /** Begins a group of the current object, or continues this object's group with the same name. */
  beginGroup(name: string): void {
    this.group = name;
    this.currentList = undefined;
  }

  /** The index list of the current part. Reading this property creates the part if it does not exist yet. */
  get current(): IndexList {
    return (this.currentList ??= this.listOfGroup.get(this.group) ?? this.begin());
  }

  private begin(): IndexList {
    const name = [this.object, this.group].filter(Boolean).join('/') || this.fileName;
    this.budget.take(PART_BYTES + 2 * name.length, 'its parts');
    const list = growingIndices(this.budget);
    this.listOfGroup.set(this.group, list);
    this.names.push(name);
    this.lists.push(list);
    return list;
  }
}
