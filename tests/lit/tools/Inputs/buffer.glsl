layout(binding = 0) buffer Values
{
    uint values[];
};
