import { isStorable } from '../../lib/text.ts';
import type { AnyRoute } from './route.ts';

export interface BoundRoute {
  readonly method: string;
  /** The path with its parameters named: `/v1/contacts/:id`. */
  readonly path: string;
  readonly route: AnyRoute;
}

interface Node {
  readonly children: Map<string, Node>;
  /** How long the longest written segment is. */
  longest: number;
  parameter: { readonly name: string; readonly node: Node } | undefined;
  readonly methods: Map<string, BoundRoute>;
}

export interface RouteMatch {
  readonly methods: ReadonlyMap<string, BoundRoute>;
  readonly params: Record<string, string>;
}

const newNode = (): Node => ({ children: new Map(), longest: 0, parameter: undefined, methods: new Map() });

/** Finds routes by the segments of a path. A written segment goes before a parameter. */
export class Router {
  readonly #root = newNode();

  constructor(bound: readonly BoundRoute[]) {
    for (const each of bound) this.#add(each);
  }

  #add(bound: BoundRoute) {
    let node = this.#root;
    for (const segment of bound.path.split('/').slice(1)) {
      if (segment.startsWith(':')) {
        node.parameter ??= { name: segment.slice(1), node: newNode() };
        node = node.parameter.node;
      } else {
        const child: Node = node.children.get(segment) ?? newNode();
        node.children.set(segment, child);
        node.longest = Math.max(node.longest, segment.length);
        node = child;
      }
    }
    node.methods.set(bound.method, bound);
  }

  find(path: string): RouteMatch | undefined {
    const params: Record<string, string> = {};
    let node: Node | undefined = this.#root;
    let start = 1;
    while (node && start <= path.length) {
      const slash = path.indexOf('/', start);
      const end = slash === -1 ? path.length : slash;
      const segment = path.slice(start, end);
      // To look for an id among the names would cost more than all the rest: it is a text that was never seen before.
      const child: Node | undefined = segment.length <= node.longest ? node.children.get(segment) : undefined;
      if (child) node = child;
      else if (node.parameter && segment !== '') {
        params[node.parameter.name] = decode(segment);
        node = node.parameter.node;
      } else return undefined;
      start = end + 1;
    }
    return node && node.methods.size > 0 ? { methods: node.methods, params } : undefined;
  }
}

/** The value of a segment. One that is not encoded rightly, or could not be stored, stays as it is: it names no record, and its route says so. */
const decode = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    const value = decodeURIComponent(segment);
    return isStorable(value) ? value : segment;
  } catch {
    return segment;
  }
};
