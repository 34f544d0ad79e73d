"""Empty modules in place of packages that a program imports, but does not need for its metrics.

PyTorch takes seconds to import, and clients of web services are of no use here. Nothing in these
modules computes anything: a class may be derived from theirs, a function decorated with theirs.
"""

import importlib.machinery
import sys
import types


class Anything(type):
    """The type of what such a module contains: classes with any attribute, and of any arguments."""

    def __getattr__(cls, name):
        """Return another one, but none of Python's own names."""
        if name.startswith("__"):
            raise AttributeError(name)
        return anything(name)

    def __call__(cls, *args, **kwargs):
        """Decorate a function or a class; make an object of a class that is derived from this."""
        if "is_stand_in" not in vars(cls):
            return super().__call__(*args, **kwargs)
        if len(args) == 1 and not kwargs and callable(args[0]):
            return args[0]
        return cls

    def __getitem__(cls, _):
        """Return the class itself, as in an annotation."""
        return cls

    def __or__(cls, _):
        """Return the class itself, as in an annotation."""
        return cls

    __ror__ = __or__

    def __enter__(cls):
        """Begin a block, of which nothing is known."""
        return cls

    def __exit__(cls, *_):
        """End the block."""

    def __iter__(cls):
        """Contain nothing."""
        return iter(())


def anything(name):
    """Make such a class; what is derived from it starts with any arguments."""
    return Anything(name, (), {"is_stand_in": True, "__init__": lambda *_, **__: None})


class StandIn(types.ModuleType):
    """A module that contains anything."""

    __path__ = ()
    __all__ = ()

    def __getattr__(self, name):
        """Return a class, but none of Python's own names."""
        if name.startswith("__"):
            raise AttributeError(name)
        return anything(name)


class Finder:
    """Finds an empty module for each of the names, and for the modules below them."""

    def __init__(self, names):
        """Take the names of packages and modules."""
        self.names = set(names)

    def find_spec(self, name, _path=None, _target=None):
        """Return the module if it, or a package that it belongs to, is among the names."""
        parts = name.split(".")
        if any(".".join(parts[:end]) in self.names for end in range(1, len(parts) + 1)):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        """Make the module."""
        return StandIn(spec.name)

    def exec_module(self, module):
        """Leave it empty."""


class Bare:
    """Finds the packages that a module is in, without running what they import at first."""

    def __init__(self, folder, names):
        """Take the folder that holds the packages, and the names of those to leave empty."""
        self.folder = folder
        self.names = set(names)

    def find_spec(self, name, _path=None, _target=None):
        """Return an empty package that finds its modules."""
        if name not in self.names:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, is_package=True)
        spec.submodule_search_locations = [str(self.folder.joinpath(*name.split(".")))]
        return spec

    def create_module(self, _):
        """Let Python make the module."""

    def exec_module(self, module):
        """Leave it empty."""


def prepare(folder, stand_ins, bare):
    """Let this process find a project in a folder, and empty modules for what it does not need."""
    sys.path.append(str(folder))
    sys.meta_path[:0] = [Finder(stand_ins), Bare(folder, bare)]
