import { isStorable } from '../../lib/text.ts';
import type { AnyRoute } from './route.ts';

export interface BoundRoute {
  readonly method: string;
  /** The path pattern, such as `/v1/contacts/:id`. */
  readonly path: string;
  readonly route: AnyRoute;
}

interface Node {
  readonly children: Map<string, Node>;
  /** The length of the longest literal segment. */
  maxLength: number;
  parameter: { readonly name: string; readonly node: Node } | undefined;
  readonly methods: Map<string, BoundRoute>;
}

export interface RouteMatch {
  readonly methods: ReadonlyMap<string, BoundRoute>;
  readonly params: Record<string, string>;
}

const newNode = (): Node => ({ children: new Map(), maxLength: 0, parameter: undefined, methods: new Map() });

/** Finds routes by the segments of a path. A literal segment takes precedence over a parameter. */
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
        node.maxLength = Math.max(node.maxLength, segment.length);
        node = node.children.getOrInsertComputed(segment, newNode);
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
      // Skips the lookup of ids: hashing a new string would cost more than everything else here.
      const child: Node | undefined =
        segment.length <= node.maxLength ? node.children.get(segment) : undefined;
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

/** Leaves an invalid segment as it is: it matches no record, so the route responds 404. */
const decode = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    const value = decodeURIComponent(segment);
    return isStorable(value) ? value : segment;
  } catch {
    return segment;
  }
};
