def other():
    return 1


@decorated
def greet(name):
    """Say hello."""
    return f"hello {name}"


def last():
    return 2
