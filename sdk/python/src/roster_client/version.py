"""The version of this package, which is that of the service it was built with."""

VERSION = "1.0.0-rc.1"
